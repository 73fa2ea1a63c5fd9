import SequenceClient
import SequencePlatform

/// The id of an ended run on the command line.
enum EndedRunArgument {
  /// Whether a text can be the beginning of an id that names a run.
  static func isID(_ text: String) -> Bool {
    text.count >= Client.fewestCharactersOfID && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  static func ambiguous(_ text: String, _ count: Int) -> UsageError {
    UsageError("\(count) run IDs start with \(quote(text))", remedy: "write more characters")
  }
}
