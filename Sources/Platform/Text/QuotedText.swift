/// A text from outside as it may stand in a message: short, on one line, without control characters.
package func quoted(_ text: String) -> String {
  let safe = text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      || scalar.value == 0x2028 || scalar.value == 0x2029 ? "\u{FFFD}" : String(scalar)
  }.joined()
  // A single character may be made of any number of marks.
  guard safe.count > 60 || safe.unicodeScalars.count > 240 else { return "\"\(safe)\"" }
  return "\"\(String(String.UnicodeScalarView(safe.unicodeScalars.prefix(240))).prefix(57))…\""
}
