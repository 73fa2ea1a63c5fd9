import Glibc
import Platform
import SequenceFiles
import SequenceRunner

/// `new`: a sequence file to start from.
enum NewCommand {
  static let command = Command(
    "new", "write a sequence file to start from, with comments", argument: place,
    discussion: [
      "A NAME is put into the library; without one the text goes to standard output. A file that is there already "
        + "is never overwritten. The path of the file is printed."
    ], perform: perform)

  private static let place = Argument<String>("NAME|FILE", isOptional: true)
  /// The title of a sequence whose file has no name that could be one.
  private static let title = "My sequence"

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    guard let word = try arguments[place], word != "-" else {
      try context.print(String(SequenceTemplate.text(title: title).dropLast()))
      return .done
    }
    let path: String
    if SequenceLookup.isName(word) {
      path = try place(word, in: try context.library())
    } else {
      path = word
    }
    try write(SequenceTemplate.text(title: title(ofFile: path)), to: path)
    try context.print(TextSafety.sanitised(path))
    return .done
  }

  /// Where a new sequence of the library is put.
  private static func place(_ word: String, in library: SequenceLibrary) throws -> String {
    let name: SequenceName
    do throws(SequenceNameError) {
      name = try SequenceName(word)
    } catch {
      throw UsageError(
        "\(quote(word)) cannot be the name of a sequence: \(error.problem)", remedy: "choose another")
    }
    if let entry = try library.entry(name) { throw isThere(entry.files[0], word) }
    try makeDirectory(library.path)
    return library.newFile(name)
  }

  /// Writes a file that is not there yet.
  private static func write(_ text: String, to path: String) throws {
    do throws(SystemError) {
      try AtomicFile.write(text, to: path, replacing: false)
    } catch {
      guard error.code == EEXIST else { throw error }
      throw isThere(path, path)
    }
  }

  private static func isThere(_ path: String, _ word: String) -> Failure {
    Failure(
      "\(path) is there already and was left alone", remedy: "sequence edit \(word) edits it", .inputOutput)
  }

  /// The name of a file without its extension, where that can be a title.
  private static func title(ofFile path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    do throws(SequenceNameError) {
      return try SequenceName(SequenceLibrary.name(ofFile: file) ?? file).text
    } catch {
      // Any title will do.
      return title
    }
  }
}
