import FoundationEssentials
import NotificationLedger
import SequenceClient
import SequenceRunner

/// Has the agent's program examine the desktop: no other may call what can.
struct AgentProbe {
  let context: CommandContext

  /// How long the program may take; it has shorter limits of its own.
  private static let limit = Duration.seconds(10)

  /// What the program found.
  ///
  /// - Parameter isNotifying: whether it shows a test notification.
  /// - Throws: `Failure` if it cannot be run, does not answer, or makes no sense.
  func examination(notifying isNotifying: Bool) throws(Failure) -> DesktopReport {
    let process: BoundedProcess
    var found: DesktopReport?
    do {
      let words = [try context.agentProgram(), "--examine"] + (isNotifying ? ["--notify"] : [])
      process = try BoundedProcess(
        words, environment: context.environment, within: AgentProbe.limit, by: context.clock
      ) { text in
        // What is no answer is told below, with how the program ended.
        found = try? JSONDecoder().decode(DesktopReport.self, from: Data(text.utf8))
        return found != nil
      }
    } catch {
      throw Failure(error)
    }
    guard let found else { throw AgentProbe.failure(process) }
    return found
  }

  private static func failure(_ process: BoundedProcess) -> Failure {
    let said = process.errors.split(separator: "\n").joined(separator: ", ")
    let reason =
      switch process.ending {
      case .ended(.exit(let status)): said.isEmpty ? "it ended with status \(status) and no answer" : said
      case .ended(.signal(let number)): "it was ended by signal \(number)"
      case .timedOut: "it did not answer within \(limit.components.seconds) s"
      case .answered: "it answered with what makes no sense"
      }
    return Failure(
      "it cannot examine the desktop: \(reason)", remedy: "install sequence and sequence-agent anew",
      .unavailable)
  }
}
