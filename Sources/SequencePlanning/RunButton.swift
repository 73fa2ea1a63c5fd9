package import FoundationEssentials
import NotifierLedger
package import SequenceRunner

/// A button of a notification about a run, or an entry of the panel's menu.
package enum RunButton: String, CaseIterable, Sendable {
  case done, pause, resume, count, skip, extend

  /// By how much `extend` lengthens the step, and `+` and `-` of the live display change it.
  package static var extensionStep: Duration { .seconds(30) }

  /// What pressing it does to the run.
  package var command: RunCommand {
    switch self {
    case .done: .next
    case .pause: .pause
    case .resume: .resume()
    case .count: .resume(countingSuspend: true)
    case .skip: .skip
    case .extend: .extend(RunButton.extensionStep)
    }
  }

  /// The label.
  package var title: String {
    switch self {
    case .done: "Done"
    case .pause: "Pause"
    case .resume: "Resume"
    case .count: "Count that time"
    case .skip: "Skip"
    case .extend: "+30 s"
    }
  }

  /// The button as a notification has it.
  var action: NotificationAction { NotificationAction(key: rawValue, title: title) }

  /// Returns the buttons during a step with a timing.
  static func buttons(during timing: Timing) -> [RunButton] {
    switch timing {
    case .countdown(_, .automatic): [.pause, .skip, .extend]
    case .countdown(_, .manual): [.done, .pause, .extend]
    case .countUp: [.done, .pause]
    }
  }
}

/// The step of a notification, which is the current step while the notification is news.
package struct RunContext: Hashable, Sendable, CustomStringConvertible {
  package let runID: UUID
  package let step: Int

  package init(runID: UUID, step: Int) {
    self.runID = runID
    self.step = step
  }

  /// The context that `description` gave; `nil` for another text.
  package init?(_ text: String?) {
    guard let parts = text?.split(separator: " "), parts.count == 2,
      let runID = UUID(uuidString: String(parts[0])), let step = Int(parts[1]),
      (0...StepLog.mostSteps).contains(step)
    else { return nil }
    self.init(runID: runID, step: step)
  }

  package var description: String { "\(runID.uuidString) \(step)" }
}

extension ActiveRunSnapshot {
  /// The region of the foreground lock that the displays of a run share.
  ///
  /// Ids of runs are random, so two active runs with one region, each of which hides the notifications of the other,
  /// are next to impossible.
  package static func foregroundRegion(of runID: UUID) -> UInt32 {
    let bytes = runID.uuid
    return UInt32(bytes.0) << 24 | UInt32(bytes.1) << 16 | UInt32(bytes.2) << 8 | UInt32(bytes.3)
  }
}
