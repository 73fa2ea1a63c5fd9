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
    let file = pathParts(path).last ?? path
    name = ImportedSequence.stem(ofFile: file)
    let program = try AgentLauncher.path()
    let process = try BoundedProcess(
      [program, "--import", "--", path], environment: environment, within: ImportedSequence.limit,
      by: clock, keeping: SequenceLimits.largestFile + 1)
    let errors = ImportedSequence.message(process.errors, of: path)
    switch process.ending {
    case .ended(.exit(0)): report = errors.isEmpty ? nil : errors
    case .ended: throw Explanation(errors)
    case .timedOut, .answered: throw Explanation("the import of \(quote(file)) took too long")
    }
    document = try SequenceDocument(Array(process.output.utf8))
  }

  /// The name of a file without its extension.
  static func stem(ofFile file: String) -> String {
    let end = file.unicodeScalars.lastIndex(of: ".") ?? file.endIndex
    return end == file.startIndex ? file : String(file[..<end])
  }

  /// The lines that the importer printed, without its name and the path that the user has just chosen.
  static func message(_ text: String, of path: String) -> String {
    text.split(separator: "\n").map { line in
      var line = line
      for prefix in ["sequence: ", TextSafety.sanitised(path) + ": "] where line.hasPrefix(prefix) {
        line = line.dropFirst(prefix.count)
      }
      return TextSafety.sanitised(String(line)).capitalizedFirst
    }.joined(separator: "\n")
  }
}
