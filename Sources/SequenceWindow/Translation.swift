/// Returns a text of the window in the user's language, which is English for now.
///
/// - Parameters:
///   - text: the text in English, the same at each call, so that a catalog can be made of the source.
///   - parts: the texts that take the places of `{}`, in order.
func translated(_ text: String, _ parts: String...) -> String { filled(text, parts) }

/// Returns a text with a number in the form that the user's language has for it, such as `1 card` or `3 cards`.
///
/// - Parameters:
///   - one: the text for 1.
///   - many: the text for all other numbers; `{}` is the number.
func translated(_ one: String, _ many: String, count: Int) -> String {
  filled(count == 1 ? one : many, [String(count)])
}

private func filled(_ text: String, _ parts: [String]) -> String {
  let pieces = text.split(separator: "{}", omittingEmptySubsequences: false)
  // A text without a place for a part, such as one that spells its number out, leaves it out.
  let filling = parts.prefix(pieces.count - 1) + Array(repeating: "", count: pieces.count)
  return zip(pieces, filling).map { $0 + $1 }.joined()
}
