import FoundationEssentials
import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequenceRunner

/// Examines the desktop by running the agent's program, because only that uses the libraries of the desktop.
struct AgentProbe {
  let doctor: Doctor

  /// The time limit of the program; it has shorter limits of its own.
  private static let limit = Duration.seconds(10)

  enum Trial: String {
    /// A discreet one, which is shown for a second.
    case brief = "--notify"
    /// One that looks and sounds like those at the end of a step, for some seconds.
    case sample = "--sample"
  }

  func examination(showing trial: Trial?) throws -> DesktopReport {
    let process: BoundedProcess
    var found: DesktopReport?
    let words = [try doctor.agentProgram(), "--examine"] + (trial.map { [$0.rawValue] } ?? [])
    process = try BoundedProcess(
      words, environment: doctor.environment, within: AgentProbe.limit, by: doctor.clock
    ) { text in
      // An invalid answer is reported below, with the exit status.
      found = try? JSONDecoder().decode(DesktopReport.self, from: Data(text.utf8))
      return found != nil
    }
    guard let found else { throw AgentProbe.failure(process) }
    return found
  }

  static func failure(_ process: BoundedProcess) -> Problem {
    let errors = process.errors.split(separator: "\n").joined(separator: ", ")
    let reason =
      switch process.ending {
      case .ended(.exit(0)), .answered: "sequence-agent gave an invalid answer"
      case .ended(.exit(let status)):
        "sequence-agent failed: " + (errors.isEmpty ? "exit status \(status)" : errors)
      case .ended(.signal(let number)): "sequence-agent was killed by signal \(number)"
      case .timedOut: "sequence-agent did not answer within \(limit.components.seconds) s"
      }
    return Problem(reason, remedy: "reinstall sequence and sequence-agent (versions may differ)")
  }
}
