import NotifierLedger
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The reasons for the states of notifications, as stored and as shown.
struct NotificationReasonTests {
  @Test(arguments: [
    (NotificationReason.replaced, "replaced", "a newer one took its place"),
    (NotificationReason("run-paused"), "run-paused", "the run was paused"),
    (.late(.seconds(31), because: nil), "late", "31 s late"),
    (
      .late(.milliseconds(31_900), because: .shownAgain(because: .programEnded)), "late",
      "31 s late: shown again: the program that showed it ended"
    ),
    (
      .notRemoved(because: NotificationReason("no-server")), "not-removed",
      "it could not be removed: no notification server on the session bus"
    ),
    (.pressed("Skip"), "pressed", "\"Skip\" was pressed"),
    (
      .pressed("Skip", but: NotificationReason("step-was-over")), "pressed",
      "\"Skip\" was pressed, but the step had ended"
    ),
    (
      .pressedLate("Skip", after: NotificationReason("run-stopped")), "pressed-late",
      "\"Skip\" was pressed too late: the run was stopped"
    ),
    (.suppressed("the user asked for\nquiet"), "suppressed", "the user asked for\nquiet"),
    (
      NotificationReason("refused", ["no", "org.example.No"]), "refused",
      "the notification server refused: no (org.example.No)"
    ),
    (NotificationReason("of-a-newer-version", ["1", "a"]), "of-a-newer-version", "of a newer version, 1, a"),
  ])
  func `a reason has a stable code and a text`(reason: NotificationReason, code: String, text: String) {
    #expect(reason.code == code)
    #expect(reason.description == text)
    #expect(NotificationReason(stored: reason.stored) == reason)
  }

  /// The table of notifications while reasons were sentences.
  private struct Sentences: StoreParticipant {
    static var component: SchemaComponent {
      SchemaComponent(
        name: SchemaComponent.notifications.name,
        // The migrations before reasons became codes.
        migrations: Array(SchemaComponent.notifications.migrations.prefix(5)))
    }
    func runDidChange(_ change: RunChange, in database: Database) {}
  }

  @Test func `sentences of earlier versions become codes, and none is lost`() throws {
    let stored = [
      ("a newer one took its place", NotificationReason.replaced),
      ("the run was paused", NotificationReason("run-paused")),
      ("merged into a.b", .merged(into: try #require(NotificationIdentifier(rawValue: "a.b")))),
      ("31 s late", .late(.seconds(31), because: nil)),
      (
        "31 s late: no notification server on the session bus",
        .late(.seconds(31), because: NotificationReason("no-server"))
      ),
      ("31 s late: it's so", .late(.seconds(31), because: NotificationReason("other", ["it's so"]))),
      ("shown again: the agent that showed it ended", .shownAgain(because: .programEnded)),
      ("it could not be taken away: no", .notRemoved(because: NotificationReason("other", ["no"]))),
      ("no session bus: it went away", NotificationReason("no-bus", ["it went away"])),
      ("\"+30 s\" was pressed", .pressed("+30 s")),
      ("the user asked for quiet", NotificationReason("other", ["the user asked for quiet"])),
    ]
    let directory = try TemporaryDirectory()
    let place = StateDirectory(path: directory.path)
    let clock = ManualClock()
    do {
      let old = try OpenRunStore(directory: place, clock: clock, participants: [Sentences()])
      for (index, (sentence, _)) in stored.enumerated() {
        try old.database.run(
          """
          INSERT INTO notification (identifier, kind, summary, body, due_wall, due_boot, boot_id, planned, state,
            reason, withdrawal, updated_at) VALUES (?1, 'message', '', '', ?2, 0, '', 0, 'removed', ?3, ?3, 0)
          """,
          .text("a.\(index)"), .integer(Int64(index)), .text(sentence))
      }
    }
    let entries = try OpenRunStore.withNotifications(in: place, clock: clock).ledger.entries(in: .everything)
    #expect(entries.map(\.reason) == stored.map(\.1))
    #expect(entries.map(\.withdrawal) == stored.map(\.1))
  }
}
