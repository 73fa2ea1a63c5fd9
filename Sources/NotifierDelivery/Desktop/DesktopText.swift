package import NotifierLedger
import SequencePlatform

/// Prepares texts from outside so that a server shows them literally.
package enum DesktopText {
  /// A text on one line, where no server looks for markup.
  package static func line(_ text: String, on server: NotificationServer) -> String {
    let text = TextSafety.sanitised(text, keeping: .directions)
    return isWithoutBounds(server) ? shortened(text, to: 200) : text
  }

  /// Returns the label of an action, which is never empty.
  ///
  /// libnotify doesn't send an action without a label, so a server could not report a click either.
  package static func label(of action: NotificationAction, on server: NotificationServer) -> String {
    let title = line(action.title, on: server)
    if !title.isEmpty { return title }
    let key = action.key == NotificationAction.click.key ? "" : line(action.key, on: server)
    return key.isEmpty ? "Open" : key
  }

  package static func body(_ text: String, on server: NotificationServer) -> String {
    var text = TextSafety.sanitised(text, keeping: [.lines, .directions])
    if isWithoutBounds(server) { text = shortened(text, to: 400) }
    return looksForMarkup(in: text, server) ? TextSafety.escapedMarkup(text) : text
  }

  /// Whether the server shows a text of any length instead of shortening it.
  ///
  /// The window of notification-daemon (3.20) becomes taller than the screen, with its buttons out of reach. At 10,000
  /// characters it draws nothing, and at 100,000 it exits.
  private static func isWithoutBounds(_ server: NotificationServer) -> Bool {
    server.name == "Notification Daemon"
  }

  /// Returns the text with an ellipsis in place of its end beyond a limit.
  ///
  /// The limit counts scalars, because a character may consist of any number of them. A line end counts as much as a
  /// short line.
  private static func shortened(_ text: String, to limit: Int) -> String {
    var left = limit
    for index in text.indices {
      left -= text[index] == "\n" ? 30 : text[index].unicodeScalars.count
      if left < 0 { return text[..<index] + "…" }
    }
    return text
  }

  /// Whether the server interprets angle brackets as markup.
  ///
  /// Without `markup` in its configuration dunst (1.9) does so, although it does not list the capability: the text
  /// would be lost. This is indistinguishable from `markup = no`, which shows the escapes, but loses nothing.
  private static func looksForMarkup(in text: String, _ server: NotificationServer) -> Bool {
    server.capabilities.contains("body-markup")
      || server.name == "dunst" && text.unicodeScalars.contains("<")
  }
}
