import SequencePlatform
import SequenceClient
import SequenceFiles

/// A file of another program that was converted into a sequence.
struct ImportedSequence: Sendable {
  let document: SequenceDocument
  /// The name for its file: that of the other file without the extension.
  let name: String
  /// The parts of the file that have no place in a sequence; `nil` if all of it was converted.
  let report: String?

  /// The longest time that a conversion may take.
  private static let limit = Duration.seconds(20)

  /// Converts a file with `sequence-agent --import`; takes up to its limit.
  ///
  /// - Throws: `Explanation` with the importer's words; `ClientError`; `SequenceFileError`; `SystemError`.
  init(_ path: String, _ environment: EnvironmentVariables, _ clock: any ClockSource) throws {
    name = ImportedSequence.stem(ofFile: pathParts(path).last ?? path)
    do {
      let workout = try ImportProgram.convert(
        path, by: try AgentLauncher.path(), environment, within: ImportedSequence.limit, clock)
      document = try SequenceDocument(Array(workout.text.utf8))
      report = ImportedSequence.text(of: workout.report)
    } catch let error as ImportError {
      throw ImportedSequence.explanation(of: error, in: path)
    }
  }

  /// The name of a file without its extension.
  static func stem(ofFile file: String) -> String {
    let end = file.unicodeScalars.lastIndex(of: ".") ?? file.endIndex
    return end == file.startIndex ? file : String(file[..<end])
  }

  /// The problem, with the path that the user has just chosen only if it is a place with a line.
  static func explanation(of error: ImportError, in path: String) -> Explanation {
    Explanation(error.line == nil ? error.problem : error.problem(inFile: path), remedy: error.remedy)
  }

  /// The report in sentences; `nil` for an empty one.
  static func text(of report: ImportReport) -> String? {
    let lines = report.lines.map { TextSafety.sanitised($0).capitalizedFirst }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
