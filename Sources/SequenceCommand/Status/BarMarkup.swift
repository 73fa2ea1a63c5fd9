/// Makes text that came from outside literal where a bar reads markup: in a title it could hide a command behind a click.
enum BarMarkup {
  /// The text within Pango markup, which is a form of XML.
  static func pango(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text between polybar's tags, which begin with `%{`.
  ///
  /// Polybar has no way to write these two characters. An empty tag that moves what follows by nothing keeps them
  /// apart, also where one of them is the last or the first of the text and the other stands beside it.
  static func polybar(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "{" { escaped.append(contentsOf: emptyTag) }
      escaped.append(scalar)
    }
    if text.unicodeScalars.last == "%" { escaped.append(contentsOf: emptyTag) }
    return String(escaped)
  }

  /// The text between tmux's styles, which begin with `#[`; two signs stand for one.
  static func tmux(_ text: String) -> String { text.replacing("#", with: "##") }

  private static let emptyTag = "%{O}".unicodeScalars
}
