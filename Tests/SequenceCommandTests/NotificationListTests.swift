import Foundation
import NotifierLedger
import SequenceClient
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// `notifications` for a run with more notifications than are pending.
struct NotificationListTests {
  private let command: CommandLineRunner
  private static let card = "11111111-0000-0000-0000-000000000001"
  private static let last = "11111111-0000-0000-0000-000000000002"

  init() throws {
    command = try CommandLineRunner()
    let file = try command.home.write(
      """
      title: Long
      cards:
        - rounds: 150
          cards: [{ title: Work, countdown: 1h, id: \(Self.card) }]
        - { title: Rest, countdown: 1h, id: \(Self.last) }
        - { title: End, countdown: 1h }
      """, to: "long.yaml")
    let outcome = try command("start", file)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func list(_ words: String...) throws -> [String: Any] {
    let text = try command.run(["notifications", "list", "--json"] + words).text
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `the next 64 are listed after the pending ones, and that more follow`() throws {
    let lines = try command("notifications", "--all").text.split(separator: "\n")
    #expect(lines.count == 129)
    #expect(lines.prefix(64).allSatisfy { $0.contains("  pending  Work, 1h") })
    #expect(lines.dropFirst(64).prefix(64).allSatisfy { $0.contains("  later  Work, 1h") })
    #expect(lines.last == "more notifications follow")
    let document = try list()
    #expect((document["notifications"] as? [[String: Any]])?.count == 64)
    let later = try #require(document["later"] as? [[String: Any]])
    #expect(later.count == 64)
    #expect(Set(try #require(later.first).keys) == ["identifier", "due", "summary", "body"])
    #expect((later.first?["identifier"] as? String)?.hasSuffix(".round.65.countdown") == true)
    #expect(document["hasMore"] as? Bool == true)
  }

  @Test func `the list has the next pending one, and counts the others`() throws {
    func list() throws -> [String] {
      try command("notifications").text.split(separator: "\n").map { String($0.dropFirst(19)) }
    }
    #expect(try list().first == "  pending  Work, 1h")
    #expect(
      try command("notifications").text.hasSuffix(
        "\nnot listed: 63 pending, 64 or more later; to list them, run sequence notifications --all"))
    #expect(try command("pause").status == 0)
    #expect(
      try command("notifications").text
        == "not listed: 64 cancelled; to list them, run sequence notifications --all")
    #expect(try command("notifications", "--all", "--card", Self.card).text.contains("  cancelled ("))
    #expect(try command("notifications", "clear", "--all", "--card", Self.card).status == 64)
  }

  @Test func `the newest is last, and a due one says that there is no server`() throws {
    let state = StateDirectory(path: command.state)
    #expect(try command("start", "--card", "A 0.001s", "--card", "B 1h", "--beside").status == 0)
    #expect(try command("status").status == 0)
    let store = try CompleteStore.open(in: state, clock: SystemClock())
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.store(
        AgentReport(
          process: 1, startedAt: store.clock.now().wall,
          desktop: .unavailable(reason: NotificationReason("no-server")),
          updatedAt: store.clock.now().wall))
    }
    let lines = try command("notifications").text.split(separator: "\n").map { $0.dropFirst(19) }
    #expect(
      lines.prefix(2) == [
        "  pending (no notification server on the session bus)  B, 1h", "  pending  Work, 1h",
      ])
  }

  @Test func `a card whose notifications follow later is listed and cleared`() throws {
    let document = try list("--card", Self.last)
    #expect((document["notifications"] as? [[String: Any]])?.isEmpty == true)
    #expect((document["later"] as? [[String: Any]])?.count == 1)
    #expect(document["hasMore"] as? Bool == false)
    let cleared = try command("notifications", "clear", "--card", Self.last)
    #expect(cleared.text == "removed 0 pending and 0 visible notifications")
    #expect((try list("--card", Self.last)["later"] as? [[String: Any]])?.isEmpty == true)
    #expect(try command("extend", "1m").status == 0)
    #expect((try list("--card", Self.last)["later"] as? [[String: Any]])?.count == 1)
  }

  @Test func `clearing all leaves none for later`() throws {
    #expect(try command("notifications", "clear", "--all").status == 0)
    let document = try list()
    #expect((document["later"] as? [[String: Any]])?.isEmpty == true)
    #expect(document["hasMore"] as? Bool == false)
  }
}
