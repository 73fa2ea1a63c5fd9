import SequencePlatform

extension NotificationReason {
  /// Reads a sentence, which is how reasons were stored until they became codes.
  ///
  /// A sentence that no version has written is the argument of `other`.
  init(sentence: String) {
    func rest(after prefix: String) -> String? {
      sentence.hasPrefix(prefix) ? String(sentence.dropFirst(prefix.count)) : nil
    }
    if let code = NotificationReason.codes[sentence] {
      self.init(code)
    } else if let identifier = rest(after: "merged into ") {
      self.init("merged", [identifier])
    } else if let cause = rest(after: "shown again: ") {
      self = .shownAgain(because: NotificationReason(sentence: cause))
    } else if let cause = rest(after: "it could not be taken away: ") {
      self = .notRemoved(because: NotificationReason(sentence: cause))
    } else if let reason = rest(after: "no session bus: ") {
      self.init("no-bus", [reason])
    } else if let match = NotificationReason.lateness(sentence) {
      self = .late(.seconds(match.seconds), because: match.cause.map(NotificationReason.init(sentence:)))
    } else if sentence.hasPrefix("\""), sentence.hasSuffix("\" was pressed"), sentence.count > 14 {
      self = .pressed(String(sentence.dropFirst().dropLast(13)))
    } else {
      self.init("other", [sentence])
    }
  }

  private static let codes = [
    "a newer one took its place": "replaced",
    "it was scheduled anew": "rescheduled",
    "it was removed": "removed",
    "it was cleared": "cleared",
    "it was not so any more": "outdated",
    "it made room for a newer one": "made-room",
    "the agent that showed it ended": "program-ended",
    "the bus was connected anew": "reconnected",
    "it was closed": "closed",
    "it was closed by a call": "closed-by-call",
    "the server took it away": "closed-by-server",
    "it expired, or made room for another": "expired",
    "the user dismissed it": "dismissed",
    "the live display had the keyboard": "foreground",
    "its buttons could not be read": "buttons-unreadable",
    "what was stored of it could not be read": "unreadable",
    "no notification server on the session bus": "no-server",
    "the notification server does not answer": "not-answering",
    "the notification server was restarted": "server-restarted",
    "it was called off before its time": "called-off",
    "the notification server did not answer; it may or may not have done it": "unknown-outcome",
    "the sequence was started anew": "run-started",
    "the run was paused": "run-paused",
    "the run was resumed": "run-resumed",
    "the run was paused or resumed": "run-toggled",
    "the step was completed": "step-completed",
    "the step was skipped": "step-skipped",
    "the previous step was begun anew": "step-back",
    "the step was begun anew": "step-restarted",
    "the step was extended": "step-extended",
    "the run was stopped": "run-stopped",
    "the machine went to sleep": "machine-asleep",
    "the machine was switched off": "machine-off",
    "the machine was away": "machine-back",
    "the machine was restarted": "machine-restarted",
    "the run was over": "run-over",
    "the store was damaged": "store-damaged",
  ]

  /// The parts of `31 s late` or `31 s late: no session bus`; `nil` if the sentence is neither.
  private static func lateness(_ sentence: String) -> (seconds: Int64, cause: String?)? {
    let parts = sentence.split(separator: " s late", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let seconds = Int64(parts[0]) else { return nil }
    if parts[1].isEmpty { return (seconds, nil) }
    return parts[1].hasPrefix(": ") ? (seconds, String(parts[1].dropFirst(2))) : nil
  }
}
