/// A text from outside as it may stand in a message: short, on one line, without control characters.
package func quoted(_ text: String) -> String {
  let safe = TextSafety.sanitised(text)
  // A single character may be made of any number of marks.
  guard safe.count > 60 || safe.unicodeScalars.count > 240 else { return "\"\(safe)\"" }
  return "\"\(String(String.UnicodeScalarView(safe.unicodeScalars.prefix(240))).prefix(57))…\""
}

/// Words as text, such as `a, b or c`.
package func alternatives(_ words: [String]) -> String {
  // Joined by hand, because `joined` takes a fortieth of the run time of a short command.
  var text = ""
  for (index, word) in words.enumerated() {
    text += (index == 0 ? "" : index + 1 == words.count ? " or " : ", ") + word
  }
  return text
}
