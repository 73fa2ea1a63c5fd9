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
    #expect(reason.sentence.description == text)
    #expect(NotificationReason(stored: reason.stored) == reason)
  }
}
