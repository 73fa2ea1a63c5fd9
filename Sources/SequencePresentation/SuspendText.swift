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
    case .sleep: "the computer is going to sleep"
    case .shutdown: "the computer is shutting down"
    case .lock: "the screen is locked"
    case .powerLoss: "the computer lost power"
    }
  }
}

extension Suspend.Cause {
  /// Returns the suspend with its length.
  ///
  /// - Parameter format: the notation of durations.
  package func text(_ length: Duration, _ format: (Duration) -> String = DurationText.format) -> String {
    let time = format(length.wholeSeconds)
    return switch self {
    case .sleep: "The computer slept for \(time)"
    case .shutdown: "The computer was off for \(time)"
    case .lock: "The screen was locked for \(time)"
    case .powerLoss: "The computer lost power; last activity \(time) ago"
    }
  }
}
