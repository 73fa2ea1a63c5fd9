import Foundation
import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Texts by other people, on their way to the screen.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct HostileTextTests {
  /// Texts, and their expected form on one line.
  private static let samples: [(text: String, line: String)] = [
    ("<b>&amp; <script>\"'</b>", "<b>&amp; <script>\"'</b>"),
    ("bell\u{7} red\u{1B}[31m \u{9B}31m\u{7F}", "bell red[31m 31m"),
    (String(repeating: "0123456<&>", count: 1000), String(repeating: "0123456<&>", count: 1000)),
    ("👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽", "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽"),
    ("ריצה קלה، تمرين", "ריצה קלה، تمرين"),
    ("line\nfeed\r\nboth\ttab", "line feed both tab"),
    ("be\0fore", "before"),
  ]

  @Test(arguments: [["body", "actions"], ["body", "actions", "body-markup"]])
  func `texts arrive complete, and as markup only if the server supports it`(capabilities: [String]) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    try server.tell("capabilities \(capabilities.joined(separator: ","))")
    let shop = try Shop(Tool(bus: bus.address))
    for (text, line) in HostileTextTests.samples {
      try shop.show(text)
      let event = try server.next("notify")
      #expect(event.summary == line)
      var body = line
      if capabilities.contains("body-markup") {
        body = body.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      }
      #expect(event.body?.replacing("\n", with: " ") == body)
    }
  }

  @Test func `a sequence file cannot bring control characters to the screen`() throws {
    let (_, server, tool) = try Tool.served()
    let long = String(repeating: "x", count: 998) + "<>"
    // One notification each, because on a busy machine ends close to each other are announced together.
    let file = try tool.file(
      #"""
      title: T
      cards:
        - { title: "\u0007\u001b[31mred\x85\e[0m", countdown: 0.2s }
        - { title: "\#(long)", countdown: 1h }
      """#)
    try tool.succeed("start", file)
    let first = try server.next("notify")
    #expect(first.summary == "\(long), 1h")
    #expect(first.body == "[31mred [0m is over · step 2 of 2")
    let other = try tool.file(
      #"{ title: T, cards: [{ title: A, countdown: 0.2s }, { title: "תרגיל\u202E", countdown: 1h }] }"#)
    try tool.succeed("start", "--replace", other)
    #expect(try server.next("notify").summary == "\u{200E}\u{2068}תרגיל\u{2069}, 1h")
  }

  @Test(arguments: VirtualDesktop.Server.tested)
  func `a desktop shows any text and survives it`(server: VirtualDesktop.Server) throws {
    let desktop = try VirtualDesktop(server)
    let shop = try Shop(Tool(bus: desktop.bus.address))
    var epochs: Set<ServerEpoch?> = []
    for (text, _) in HostileTextTests.samples + [("The end", "The end")] {
      try shop.show(text)
      epochs.insert(try shop.waitUntilDelivered(text)?.epoch)
      try desktop.wait(untilDisplayed: 1)
    }
    // The first server showed them all.
    #expect(epochs.count == 1 && !epochs.contains(nil))
    try shop.tool.succeed("stop")
  }
}

/// Shows notifications outside of a run, which replace each other, through the agent of a run.
private struct Shop {
  let tool: Tool
  private let store: RunStore

  init(_ tool: Tool) throws {
    self.tool = tool
    try tool.succeed("start", "--card", "A 1h")
    store = try RunStore.withNotifications(in: StateDirectory(path: tool.state), clock: SystemClock())
  }

  /// Shows a text as both the summary and the body.
  func show(_ text: String) throws {
    let reading = store.clock.now()
    let identifier = try #require(NotificationIdentifier(rawValue: "hostile.text"))
    let request = NotificationRequest(identifier: identifier, summary: text, body: text, due: reading)
    try store.database.transaction { () throws(StoreError) in try store.ledger.add([request], at: reading) }
  }

  func waitUntilDelivered(_ text: String) throws -> ShownNotification? {
    var shown: ShownNotification?
    try tool.wait {
      let entry = try store.ledger.entries(in: .everything).last { $0.request.summary == text }
      shown = entry?.state == .delivered ? entry?.shown : nil
      return shown != nil
    }
    return shown
  }
}
