package import SequenceRunner

/// Texts that describe a suspend in one line.
package enum SuspendText {
  /// Returns the suspend and the commands that are possible now.
  package static func line(_ suspend: Suspend) -> String {
    guard let past = past(suspend) else { return goes(suspend.cause) }
    return past + " (resume, or resume --count-suspend)"
  }

  /// Returns the suspend and its length; `nil` until it is over.
  package static func past(_ suspend: Suspend) -> String? {
    guard let length = suspend.length else { return nil }
    let text = suspend.cause.text(length)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Returns the reason for the pause, at the time of the pause.
  package static func goes(_ cause: Suspend.Cause) -> String {
    switch cause {
    case .sleep: "the machine goes to sleep"
    case .shutdown: "the machine is switched off"
    case .powerLoss: "the machine went off"
    }
  }
}

extension Suspend.Cause {
  /// Returns the suspend with its length.
  package func text(_ length: Duration) -> String {
    let time = DurationText.format(length.wholeSeconds)
    return switch self {
    case .sleep: "The machine slept for \(time)"
    case .shutdown: "The machine was off for \(time)"
    case .powerLoss: "The machine went off; its last sign of life is \(time) old"
    }
  }
}
