import Platform
import SequenceClient

extension Explanation {
  /// The problem and the remedy as a sentence for people who look at a window.
  var sentence: String {
    let text = TextSafety.sanitised(description)
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}
