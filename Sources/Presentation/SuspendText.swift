package import SequenceRunner

/// How an absence is told in a line of text.
package enum SuspendText {
  /// What happened, and what the user can do now.
  package static func line(_ suspend: Suspend) -> String {
    guard let past = past(suspend) else { return goes(suspend.cause) }
    return past + " (resume, or resume --count-suspend)"
  }

  /// What happened; `nil` until the machine is back.
  package static func past(_ suspend: Suspend) -> String? {
    guard let length = suspend.length else { return nil }
    let text = suspend.cause.text(length)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Why the run was paused, at the moment at which it was.
  package static func goes(_ cause: Suspend.Cause) -> String {
    switch cause {
    case .sleep: "the machine goes to sleep"
    case .shutdown: "the machine is switched off"
    case .powerLoss: "the machine went off"
    }
  }
}

extension Suspend.Cause {
  /// What happened, and for how long, as far as that is known.
  package func text(_ length: Duration) -> String {
    let time = DurationText.format(length.wholeSeconds)
    return switch self {
    case .sleep: "The machine slept for \(time)"
    case .shutdown: "The machine was off for \(time)"
    case .powerLoss: "The machine went off; its last sign of life is \(time) old"
    }
  }
}
