import Platform
import SequenceClient

extension Explanation {
  /// The problem and the remedy as a sentence for people who look at a window.
  var sentence: String {
    TextSafety.sanitised(description).capitalizedFirst
  }
}

extension String {
  /// The text with a capital letter at its start.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
