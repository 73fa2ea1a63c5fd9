import Platform
import SequenceFiles
import SequenceRunner
import TerminalDisplay

/// `doctor`: finds problems and suggests fixes.
enum DoctorCommand {
  static let command = Command(
    "doctor", "find problems and suggest fixes", options: [notify, Flag.json],
    discussion: [
      "It changes nothing and starts nothing; only --notify may start a notification server.",
      "Exit status: 0 without errors, 74 if the store cannot be used, 69 if anything else that is needed is missing or "
        + "does not respond.",
    ],
    examples: [
      .init("sequence doctor", "check everything that Sequence needs"),
      .init("sequence doctor --notify", "find out why no notification appears"),
    ], perform: perform)

  private static let notify = Flag("notify", "also show a test notification")

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
      let isASCII = DisplayStyle.detect(environment: context.environment).glyphs == .ascii
      for finding in findings {
        for line in finding.lines(arrow: isASCII ? "->" : "→") { try context.print(line) }
      }
    }
    guard store.finding.state != .error else { return .inputOutput }
    return findings.contains { $0.state == .error } ? .unavailable : .done
  }
}

/// The document of `doctor --json`.
private struct DoctorDocument: Encodable {
  let schema = JSONText.schema
  let checks: [Finding]
}
