public import NotifierLedger

extension NotificationReason {
  /// A live display or a window of the run had the keyboard focus.
  package static let foreground = NotificationReason("foreground")

  /// The reason as a part of a sentence, with the reasons of runs.
  public var sentence: String { sentence(with: NotificationReason.sentencesOfRuns) }

  /// The codes that runs add.
  private static let sentencesOfRuns = [
    "foreground": "a display of the run had the keyboard focus",
    "run-started": "the sequence was started again",
    "run-paused": "the run was paused",
    "run-resumed": "the run was resumed",
    "run-toggled": "the run was paused or resumed",
    "run-stopped": "the run was stopped",
    "run-over": "the run had ended",
    "run-deleted": "the run was deleted from the history",
    "step-completed": "the step was completed",
    "step-skipped": "the step was skipped",
    "step-back": "the previous step was restarted",
    "step-restarted": "the step was restarted",
    "step-extended": "the step was extended",
    "machine-asleep": "the computer was suspended",
    "machine-off": "the computer was switched off",
    "machine-back": "the computer resumed from suspend",
    "machine-restarted": "the computer was restarted",
    "store-damaged": "the store was damaged",
    "button-unknown": "the button is unknown",
    "step-was-over": "the step had ended",
    "it-was-so-already": "the run was in that state already",
    "step-cannot-be-longer": "the step cannot be extended",
  ]
}
