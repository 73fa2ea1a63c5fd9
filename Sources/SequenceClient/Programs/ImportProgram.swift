import FoundationEssentials
import Glibc
package import SequencePlatform
package import SequenceFiles
import SequenceRunner

/// The conversion of other programs' files by the agent's program, because the libraries that read those formats would
/// slow down every start of the others.
package enum ImportProgram {
  /// The number of bytes of an answer: the text of a sequence file, of which JSON escapes some characters, and a report.
  private static let mostOutput = 4 * SequenceLimits.largestFile

  /// - Parameters:
  ///   - path: the path of the file; `-` is standard input.
  ///   - format: the format of the file; `nil` to detect it.
  ///   - program: the path of `sequence-agent`.
  /// - Throws: `ImportError` if the file can't be imported; `Problem` if the program fails; `SystemError`.
  package static func convert(
    _ path: String, as format: WorkoutFormat? = nil, by program: String, _ environment: EnvironmentVariables,
    within limit: Duration? = nil, _ clock: any ClockSource
  ) throws -> ImportedWorkout {
    // In this process's session it can read from the terminal, and ends with this process by Ctrl-C.
    let process = try BoundedProcess(
      [program, "--import", path] + (format.map { [$0.rawValue] } ?? []), environment: environment,
      input: path == "-" ? .descriptor(STDIN_FILENO) : .null, session: .shared, within: limit, by: clock,
      keeping: mostOutput)
    if process.ending == .timedOut {
      throw Problem("the import of \(quote(pathParts(path).last ?? path)) took too long")
    }
    // An invalid answer is explained with the way the program ended.
    switch try? JSONDecoder().decode(ImportAnswer.self, from: Data(process.output.utf8)) {
    case .imported(let workout): return workout
    case .refused(let error): throw error
    case nil: throw AgentProbe.failure(process)
    }
  }
}
