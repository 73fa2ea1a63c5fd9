import Platform
import SequenceFiles
import SequenceRunner

/// `doctor`: what works here, what does not, and what to do about it.
enum DoctorCommand {
  static let command = Command(
    "doctor", "say what works here, what does not, and what to do about it", options: [notify, Flag.json],
    discussion: [
      "It changes nothing: a store that is damaged stays as it is, and nothing is started. Only --notify starts a "
        + "notification server where the session bus can.",
      "Exit status: 0 if nothing is wrong, 74 if the store cannot be used, 69 if anything else that is needed is "
        + "missing or does not answer.",
    ], perform: perform)

  private static let notify = Flag("notify", "show a test notification for a second too")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let directory = try context.directory(arguments)
    let isNotifying = arguments.has(notify)
    let store = StoreCheck(directory: directory, reading: context.clock.now()).findings()
    let (desktop, examination) = DesktopCheck(context: context, isNotifying: isNotifying).findings()
    var findings = desktop
    findings.append(AgentCheck(context: context, directory: directory).finding(store.store))
    findings.append(SleepCheck(context: context, run: store.run).finding(examination))
    findings.append(store.finding)
    findings.append(ConfigurationCheck.finding(context))
    findings.append(ClocksCheck.finding())
    findings.append(HooksCheck(context: context).finding(store.store))
    findings.append(CuesCheck(context: context).finding())
    findings.append(DeliveryCheck.finding(store.store, at: context.clock.now()))
    if arguments.has(.json) {
      try context.print(JSONText.encode(DoctorDocument(checks: findings)))
    } else {
      for finding in findings { try context.print(finding.line) }
    }
    guard store.finding.state != .error else { return .inputOutput }
    return findings.contains { $0.state == .error } ? .unavailable : .done
  }
}

/// What `doctor --json` prints.
private struct DoctorDocument: Encodable {
  let schema = JSONText.schema
  let checks: [Finding]
}
