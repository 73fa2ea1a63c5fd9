import SequenceConfiguration

/// The names of sounds in the window.
enum SoundChoice {
  /// A few sounds that most sound themes have.
  ///
  /// Source: Sound Naming Specification 0.1.
  static let names: [(name: String, label: String)] = [
    ("message-new-instant", translated("Message")),
    ("bell", translated("Bell")),
    ("audio-volume-change", translated("Tick")),
    ("alarm-clock-elapsed", translated("Alarm")),
    ("complete", translated("Complete")),
    ("dialog-information", translated("Information")),
    ("dialog-warning", translated("Warning")),
    ("window-attention", translated("Attention")),
    ("phone-incoming-call", translated("Phone")),
  ]

  /// The choices for a moment.
  static func choices(for sound: CueSound) -> [(value: SettingValue, label: String)] {
    let standard: [(SettingValue, String)] =
      sound.standard == nil ? [(.unset, translated("Like a Step"))] : []
    return standard + names.map { (.text($0.name), $0.label) } + [(.text("none"), translated("None"))]
  }

  /// The title of a moment.
  static func title(of sound: CueSound) -> String {
    switch sound {
    case .step: translated("A Step Starts")
    case .rest: translated("A Rest Starts")
    case .half: translated("Half of the Time")
    case .count: translated("Last Seconds")
    case .goal: translated("A Goal Is Reached")
    case .overtime: translated("Time Is Up")
    case .finished: translated("The Run Is Over")
    }
  }
}
