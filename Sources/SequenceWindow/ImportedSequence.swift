import SequencePlatform
import SequenceClient
import SequenceFiles

/// A file of another program that was converted into the library.
struct ImportedSequence {
  /// The name of the new sequence.
  let name: String
  /// The parts of the file that have no place in a sequence; `nil` if all of it was converted.
  let report: String?

  /// The longest time that a conversion may take.
  private static let limit = Duration.seconds(20)

  /// Converts a file with `sequence-agent --import`.
  ///
  /// - Throws: `Explanation` with the importer's words; `ClientError`; `SystemError`.
  init(_ path: String, _ context: ClientContext) throws {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.split(separator: ".").first.map(String.init) ?? file
    name = stem
    let place = try NewSequence.place(stem, in: try context.library())
    let program = try AgentLauncher.path()
    let process = try BoundedProcess(
      [program, "--import", "--output", place, "--", path], environment: context.environment,
      within: ImportedSequence.limit,
      by: context.clock)
    let errors = ImportedSequence.message(process.errors, of: path)
    switch process.ending {
    case .ended(.exit(0)): report = errors.isEmpty ? nil : errors
    case .ended: throw Explanation(errors)
    case .timedOut, .answered: throw Explanation("the import of \(quote(file)) took too long")
    }
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
