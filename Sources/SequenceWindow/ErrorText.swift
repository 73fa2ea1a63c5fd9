import SequencePlatform
import SequenceClient

extension Explanation {
  /// The problem and the remedy as a sentence for people who look at a window.
  var sentence: String {
    TextSafety.sanitised(description).capitalizedFirst
  }
}

extension ListedSequence {
  /// The mistake in the file with its line and column; `nil` if there is none.
  ///
  /// The name of the file is enough: the library has only one directory.
  var mistakeText: String? {
    guard let mistake, let slash = path.unicodeScalars.lastIndex(of: "/") else { return nil }
    return TextSafety.sanitised(
      mistake.description.replacing(String(path.unicodeScalars[...slash]), with: ""))
  }
}

extension String {
  /// The text with a capital letter at its start.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
