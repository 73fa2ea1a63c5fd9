/// A text from outside as it may stand in a message: short, on one line, without control characters.
package func quoted(_ text: String) -> String {
  let safe = TextSafety.sanitised(text)
  // A single character may be made of any number of marks.
  guard safe.count > 60 || safe.unicodeScalars.count > 240 else { return "\"\(safe)\"" }
  return "\"\(String(String.UnicodeScalarView(safe.unicodeScalars.prefix(240))).prefix(57))…\""
}

/// Words as text, such as `a, b or c`.
package func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.joined() }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
