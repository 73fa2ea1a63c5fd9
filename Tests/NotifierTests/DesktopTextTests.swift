import NotifierDelivery
import NotifierLedger
import Testing

struct DesktopTextTests {
  private let plain = named("server")
  private let marked = named("server", ["body-markup"])

  @Test(arguments: [
    (NotificationAction.click, "Open"), (NotificationAction(key: "default", title: "Read"), "Read"),
    (NotificationAction(key: "later", title: ""), "later"),
    (NotificationAction(key: "a\nb", title: "\u{1B}"), "a b"),
    (NotificationAction(key: "\u{7}", title: ""), "Open"),
  ])
  func `an action always has a label`(action: NotificationAction, label: String) {
    #expect(DesktopText.label(of: action, on: plain) == label)
  }

  @Test(arguments: [
    ("a\nb\r\nc\rd", "a b c d"), ("a\tb\u{0B}c\u{0C}d", "a b c d"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ("bell\u{7} red\u{1B}[31m", "bell red[31m"), ("\u{7F}c1 \u{9B}31m", "c1 31m"), ("be\0fore", "before"),
    ("👩‍👩‍👧‍👦 🏳️‍🌈", "👩‍👩‍👧‍👦 🏳️‍🌈"), ("<b>&amp; \"'", "<b>&amp; \"'"), ("", ""),
  ])
  func `a line contains no line breaks and no control characters`(text: String, line: String) {
    #expect(DesktopText.line(text, on: plain) == line)
    #expect(DesktopText.line(text, on: marked) == line)
  }

  @Test func `a body keeps its line breaks`() {
    #expect(DesktopText.body("a\nb\r\nc\rd\u{2028}e", on: plain) == "a\nb\nc\nd\ne")
  }

  @Test(arguments: [
    ("<b>&amp; \"'</b>", "&lt;b&gt;&amp;amp; \"'&lt;/b&gt;"),
    ("<\u{338} &\u{FE0F}", "&lt;\u{338} &amp;\u{FE0F}"),
    ("plain", "plain"),
  ])
  func `a body is escaped only if the server supports markup`(text: String, escaped: String) {
    #expect(Array(DesktopText.body(text, on: plain).unicodeScalars) == Array(text.unicodeScalars))
    #expect(Array(DesktopText.body(text, on: marked).unicodeScalars) == Array(escaped.unicodeScalars))
  }

  @Test func `dunst gets escaped angle brackets whatever its capabilities`() {
    let dunst = DesktopTextTests.named("dunst")
    #expect(DesktopText.body("Push & pull <hard>", on: dunst) == "Push &amp; pull &lt;hard&gt;")
    #expect(DesktopText.body("Push & pull", on: dunst) == "Push & pull")
  }

  @Test(arguments: ["abcdefghi ", "👩‍👩‍👧‍👦", "\n", "e" + String(repeating: "\u{301}", count: 50), "<"])
  func `text is truncated only for notification-daemon, with an ellipsis`(piece: String) {
    let text = String(repeating: piece, count: 10_000)
    #expect(DesktopText.body(text, on: plain) == text)
    let daemon = DesktopTextTests.named("Notification Daemon")
    #expect(DesktopText.body("short", on: daemon) == "short")
    let body = DesktopText.body(text, on: daemon)
    #expect(body.hasSuffix("…") && text.hasPrefix(body.dropLast()))
    #expect(body.unicodeScalars.count <= 401 && body.count { $0 == "\n" } <= 13)
  }

  private static func named(_ name: String, _ capabilities: Set<String> = []) -> NotificationServer {
    NotificationServer(
      epoch: ServerEpoch(busID: "bus", owner: ":1.1"), name: name, version: "1", capabilities: capabilities)
  }
}
