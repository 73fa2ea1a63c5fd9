public import NotifierLedger

extension NotificationReason {
  /// A live display or a window of the run had the keyboard focus.
  package static let foreground = NotificationReason("foreground")

  /// The reason as a part of a sentence, with the reasons of runs.
  public var sentence: String { sentence(with: NotificationReason.sentenceOfRuns) }

  /// The codes that runs add; a dictionary of them would cost more than printing them.
  private static func sentenceOfRuns(_ code: String) -> String? {
    switch code {
    case "foreground": "a display of the run had the keyboard focus"
    case "run-started": "the sequence was started again"
    case "run-paused": "the run was paused"
    case "run-resumed": "the run was resumed"
    case "run-toggled": "the run was paused or resumed"
    case "run-stopped": "the run was stopped"
    case "run-over": "the run had ended"
    case "run-deleted": "the run was deleted from the history"
    case "step-completed": "the step was completed"
    case "step-skipped": "the step was skipped"
    case "step-back": "the previous step was restarted"
    case "step-restarted": "the step was restarted"
    case "step-extended": "the step was extended"
    case "screen-locked": "the screen was locked"
    case "machine-asleep": "the computer was suspended"
    case "machine-off": "the computer was switched off"
    case "machine-back": "the computer resumed from suspend"
    case "machine-restarted": "the computer was restarted"
    case "store-damaged": "the store was damaged"
    case "button-unknown": "the button is unknown"
    case "step-was-over": "the step had ended"
    case "it-was-so-already": "the run was in that state already"
    case "step-cannot-be-longer": "the step cannot be extended"
    default: nil
    }
  }
}
