import FoundationEssentials
import Glibc
import NotifierLedger
import SequencePlanning
package import SequencePlatform
package import SequenceFiles
import SequenceRunner

/// The agent's program, which examines the desktop and converts files of other programs, and prints its answer as JSON.
///
/// Only that program links the libraries for it, because they would slow down every start of the others.
package enum AgentProgram {
  /// The number of bytes of an answer: the text of a sequence file, of which JSON escapes some characters, and a report.
  private static let mostOutput = 4 * SequenceLimits.largestFile
  /// The time limit of an examination, which has shorter limits of its own.
  private static let examinationLimit = Duration.seconds(10)

  /// A test notification.
  enum Trial: String {
    /// A discreet one, which is shown for a second.
    case brief = "--notify"
    /// One that looks and sounds like those at the end of a step, for some seconds.
    case sample = "--sample"
  }

  /// Examines the desktop.
  ///
  /// - Parameter trial: the test notification that it shows; `nil` for none.
  /// - Throws: an error if the program can't be run, or gives no valid answer.
  static func examination(for doctor: Doctor, showing trial: Trial?) throws -> DesktopReport {
    let words = [try doctor.agentProgram(), "--examine"] + (trial.map { [$0.rawValue] } ?? [])
    let (report, process): (DesktopReport?, BoundedProcess) = try answer(
      words, doctor.environment, within: examinationLimit, doctor.clock)
    guard let report else { throw failure(process) }
    return report
  }

  /// Converts a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `-` is standard input.
  ///   - format: the format of the file; `nil` to detect it.
  ///   - program: the path of `sequence-agent`.
  ///   - limit: the longest time that it may take; `nil` for any.
  /// - Throws: `ImportError` if the file can't be imported; `Problem` if the program fails; `SystemError`.
  package static func convert(
    _ path: String, as format: WorkoutFormat? = nil, by program: String, _ environment: EnvironmentVariables,
    within limit: Duration? = nil, _ clock: any ClockSource
  ) throws -> ImportedWorkout {
    // In this process's session it can read from the terminal, and ends with this process by Ctrl-C.
    let (answer, process): (ImportAnswer?, BoundedProcess) = try answer(
      [program, "--import", path] + (format.map { [$0.rawValue] } ?? []), environment,
      input: path == "-" ? .descriptor(STDIN_FILENO) : .null, session: .shared, within: limit, clock)
    switch answer {
    case .imported(let workout): return workout
    case .refused(let error): throw error
    case nil where process.ending == .timedOut:
      throw Problem("the import of \(quote(pathParts(path).last ?? path)) took too long")
    case nil: throw failure(process)
    }
  }

  /// Runs the program; the answer is `nil` if it isn't valid, which is explained with the way the program ended.
  private static func answer<Answer: Decodable>(
    _ words: [String], _ environment: EnvironmentVariables, input: Subprocess.Stream = .null,
    session: Subprocess.Session = .own, within limit: Duration?, _ clock: any ClockSource
  ) throws(SystemError) -> (Answer?, BoundedProcess) {
    var answer: Answer?
    let process = try BoundedProcess(
      words, environment: environment, input: input, session: session, within: limit, by: clock,
      keeping: mostOutput
    ) { text in
      let decoder = JSONDecoder()
      decoder.userInfo = LocalizedText.translatable
      // The error of the decoder names no cause that the ending of the program doesn't.
      answer = try? decoder.decode(Answer.self, from: Data(text.utf8))
      return answer != nil
    }
    return (answer, process)
  }

  private static func failure(_ process: BoundedProcess) -> Problem {
    let errors = process.errors.split(separator: "\n").joined(separator: ", ")
    let reason =
      switch process.ending {
      case .ended(.exit(0)), .answered: LocalizedText("sequence-agent gave an invalid answer")
      case .ended(.exit(let status)):
        errors.isEmpty
          ? LocalizedText("sequence-agent failed: exit status \(status)")
          : LocalizedText("sequence-agent failed: \(errors)")
      case .ended(.signal(let number)): LocalizedText("sequence-agent was killed by signal \(number)")
      case .timedOut:
        LocalizedText("sequence-agent did not answer within \(examinationLimit.components.seconds) s")
      }
    return Problem(reason, remedy: "reinstall sequence and sequence-agent (versions may differ)")
  }
}
