import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlanning

/// A setting that the preferences show.
enum Setting: Hashable {
  case onSuspend
  case onLock
  case keepAwake
  case mediaKeys
  case panelIcon
  case sound
  case volume
  case remaining
  /// The steps that have sounds and speech.
  case steps
  case speech
  case cueSound(CueSound)
  /// The sound of all notifications.
  case notificationSound
  case urgency(NotificationKind)

  /// The kinds of notifications whose urgency the preferences show.
  static let shownKinds: [NotificationKind] = [.stepEnd, .overtime, .goal, .runEnd, .return]

  /// The keys of its value in the file, outermost first.
  var keys: [String] {
    switch self {
    case .onSuspend: ["onSuspend"]
    case .onLock: ["onLock"]
    case .keepAwake: ["keepAwake"]
    case .mediaKeys: ["panel", "media"]
    case .panelIcon: ["panel", "icon"]
    case .sound: ["cues", "sound"]
    case .volume: ["cues", "volume"]
    case .remaining: ["cues", "remaining"]
    case .steps: ["cues", "when"]
    case .speech: ["cues", "speech"]
    case .cueSound(let sound): ["cues", "sounds", sound.rawValue]
    case .notificationSound: ["notifications", "sound"]
    case .urgency(let kind): ["notifications", kind.rawValue, "urgency"]
    }
  }
}

/// The value of a setting, as the preferences show and change it.
enum SettingValue: Hashable {
  /// The value as it is written into the file.
  case text(String)
  /// The default, which has no text: the key is missing.
  case unset
  /// A value that can only be written in the file.
  case other

  static func flag(_ isOn: Bool) -> SettingValue { .text(isOn ? "true" : "false") }

  /// The number at its beginning; `nil` if there is none.
  var number: Int? {
    guard case .text(let text) = self else { return nil }
    return Int(text.prefix { $0.isNumber })
  }
}
