package import SequencePlatform

/// A format of files of other programs that can be imported.
package enum WorkoutFormat: String, CaseIterable, Sendable, Codable {
  case zwo
  /// A CompuTrainer course of times and watts.
  case erg
  /// A CompuTrainer course of times and percentages of the threshold power.
  case mrc
  /// A configuration of uair, a Pomodoro timer.
  case uair
  /// A workout from the web service of Garmin Connect.
  case garmin
  case cooklang
  /// A workout of Just Another Workout Timer.
  case jawt

  /// The name of the format in a sentence, and the extension of its files; `nil` if the extension stands for several.
  private var traits: (title: LocalizedText, fileExtension: String?) {
    switch self {
    case .zwo: (LocalizedText("a Zwift workout"), "zwo")
    case .erg: (LocalizedText("an ERG course"), "erg")
    case .mrc: (LocalizedText("an MRC course"), "mrc")
    case .uair: (LocalizedText("a uair configuration"), "toml")
    case .garmin: (LocalizedText("a Garmin workout"), nil)
    case .cooklang: (LocalizedText("a Cooklang recipe"), "cook")
    case .jawt: (LocalizedText("a workout of Just Another Workout Timer"), nil)
    }
  }

  /// Returns the format of a file by its extension; `nil` if the extension stands for none, or for several.
  package init?(ofFileNamed name: String) {
    let fileExtension = WorkoutFormat.fileExtension(of: name)
    guard let format = WorkoutFormat.allCases.first(where: { $0.traits.fileExtension == fileExtension })
    else { return nil }
    self = format
  }

  /// Returns the extension of a file's name in lower case; empty without one.
  package static func fileExtension(of name: String) -> String {
    let file = pathParts(name).last ?? ""
    guard let dot = file.lastIndex(of: ".") else { return "" }
    return file[file.index(after: dot)...].lowercased()
  }

  /// The name of the format in a sentence, such as `a Zwift workout`.
  package var titleWithArticle: LocalizedText { traits.title }

  package var title: String {
    traits.title.description.split(separator: " ").dropFirst().joined(separator: " ")
  }

  package static var titles: LocalizedText { alternatives(allCases.map(\.titleWithArticle)) }

  package static var list: LocalizedText { alternatives(allCases.map(\.rawValue)) }
}
