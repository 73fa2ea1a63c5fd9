/// Escapes text for the markup of status bars, because markup in a title could run a command on a click.
enum BarMarkup {
  /// Escapes a text for Polybar, whose tags begin with `%{`.
  ///
  /// Polybar has no escape for these two characters. An empty tag, which moves the following text by nothing, separates
  /// them, even if one of them is at the end of the text and the other comes from the template.
  static func polybar(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "{" { escaped.append(contentsOf: emptyTag) }
      escaped.append(scalar)
    }
    if text.unicodeScalars.last == "%" { escaped.append(contentsOf: emptyTag) }
    return String(escaped)
  }

  /// Escapes a text for tmux, whose styles begin with `#[`, by doubling the sign.
  ///
  /// By scalars, because a sign with a combining accent is another character to Swift, but not to tmux.
  static func tmux(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { escaped += scalar == "#" ? [scalar, scalar] : [scalar] }
    return String(escaped)
  }

  private static let emptyTag = "%{O}".unicodeScalars
}
