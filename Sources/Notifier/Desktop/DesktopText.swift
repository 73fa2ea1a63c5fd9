import Platform

/// How texts that somebody else wrote reach a server, so that it shows them as they are.
package enum DesktopText {
  /// A text on one line, where no server looks for markup.
  package static func line(_ text: String, on server: NotificationServer) -> String {
    let text = TextSafety.sanitised(text, keeping: .directions)
    return isWithoutBounds(server) ? shortened(text, to: 200) : text
  }

  /// A text below the line, escaped where the server looks for markup.
  package static func body(_ text: String, on server: NotificationServer) -> String {
    var text = TextSafety.sanitised(text, keeping: [.lines, .directions])
    if isWithoutBounds(server) { text = shortened(text, to: 400) }
    return looksForMarkup(in: text, server) ? escaped(text) : text
  }

  /// Whether the server shows all of a text, however long, where others shorten what is too long for them.
  ///
  /// The window of notification-daemon (3.20) is taller than the screen then, with the buttons beyond its end. At
  /// 10,000 characters nothing is drawn at all, and at 100,000 it ends.
  private static func isWithoutBounds(_ server: NotificationServer) -> Bool {
    server.name == "Notification Daemon"
  }

  /// The text, with an ellipsis in place of what is more than a limit.
  ///
  /// It counts scalars, since a character may have any number of them, and a line end as much as a short line.
  private static func shortened(_ text: String, to limit: Int) -> String {
    var left = limit
    for index in text.indices {
      left -= text[index] == "\n" ? 30 : text[index].unicodeScalars.count
      if left < 0 { return text[..<index] + "…" }
    }
    return text
  }

  /// Whether the server takes what is between angle brackets for markup.
  ///
  /// Without `markup` in its configuration dunst does, and does not list it (1.9): the text would be lost. That
  /// cannot be told from `markup = no`, where escapes are not nice to see, but nothing is lost.
  private static func looksForMarkup(in text: String, _ server: NotificationServer) -> Bool {
    server.capabilities.contains("body-markup")
      || server.name == "dunst" && text.unicodeScalars.contains("<")
  }

  /// The text as markup that shows it as it is.
  ///
  /// Scalar by scalar: with an accent on it "<" is another character to Swift, and still markup to the server.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
