import SequencePlatform

/// The file formats that can be imported.
package enum WorkoutFormat: String, CaseIterable, Sendable, Encodable {
  /// A workout of Zwift.
  case zwo
  /// A CompuTrainer course of times and watts.
  case erg
  /// A CompuTrainer course of times and percentages of the threshold power.
  case mrc
  /// A configuration of uair, a Pomodoro timer.
  case uair
  /// A workout from the web service of Garmin Connect.
  case garmin
  /// A recipe in Cooklang, whose timers are imported.
  case cooklang
  /// A workout of Just Another Workout Timer.
  case jawt

  /// Returns the format of a file by its extension; `nil` if the extension stands for none, or for several.
  package init?(ofFileNamed name: String) {
    switch WorkoutFormat.fileExtension(of: name) {
    case "zwo": self = .zwo
    case "erg": self = .erg
    case "mrc": self = .mrc
    case "cook": self = .cooklang
    case "toml": self = .uair
    default: return nil
    }
  }

  /// Returns the extension of a file's name in lower case; empty without one.
  package static func fileExtension(of name: String) -> String {
    let file = pathParts(name).last ?? ""
    guard let dot = file.lastIndex(of: ".") else { return "" }
    return file[file.index(after: dot)...].lowercased()
  }

  /// The name of the format in text.
  package var title: String {
    switch self {
    case .zwo: "Zwift workout"
    case .erg: "ERG course"
    case .mrc: "MRC course"
    case .uair: "uair configuration"
    case .garmin: "Garmin workout"
    case .cooklang: "Cooklang recipe"
    case .jawt: "workout of Just Another Workout Timer"
    }
  }

  /// The name of the format in a sentence, such as `a Zwift workout`.
  package var titleWithArticle: String {
    switch self {
    case .erg, .mrc: "an \(title)"
    case .zwo, .uair, .garmin, .cooklang, .jawt: "a \(title)"
    }
  }

  /// All formats in a sentence.
  package static var titles: String { alternatives(allCases.map(\.titleWithArticle)) }

  /// The names of all formats, for messages.
  package static var list: String { alternatives(allCases.map(\.rawValue)) }
}
