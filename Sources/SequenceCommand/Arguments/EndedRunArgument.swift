import FoundationEssentials
import SequenceClient
import SequencePlatform
import SequenceRunner

/// The id of an ended run on the command line.
enum EndedRunArgument {
  /// Whether a text can be the beginning of an id that names a run.
  static func isID(_ text: String) -> Bool {
    text.count >= Client.fewestCharactersOfID && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// Returns the id of the ended run that begins with a text; `nil` if there is none.
  ///
  /// - Throws: `Failure` if there are several; `StoreError`.
  static func id(beginningWith text: String, in store: OpenRunStore) throws -> UUID? {
    let ids = try store.endedRunIDs(beginningWith: text)
    guard ids.count <= 1 else {
      throw Failure(usage: "\(ids.count) run IDs start with \(quote(text))", remedy: "write more characters")
    }
    return ids.first
  }
}
