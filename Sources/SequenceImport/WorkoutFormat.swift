/// The file formats that can be imported.
public enum WorkoutFormat: String, CaseIterable, Sendable, Encodable {
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

  /// The name of the format in text.
  public var title: String {
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

  /// The names of all formats, for messages.
  public static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension WorkoutFormat {
  /// Returns the format of a file, from its extension or else its contents.
  ///
  /// - Throws: `ImportError` if the format is unknown or cannot be imported.
  static func recognize(_ text: String, named name: String) throws(ImportError) -> WorkoutFormat {
    switch fileExtension(of: name) {
    case "zwo": return .zwo
    case "erg": return .erg
    case "mrc": return .mrc
    case "cook": return .cooklang
    case "toml": return .uair
    case "json": return try recognizeJSON(text)
    default: break
    }
    let head = text.prefix(4096)
    if head.contains("<workout_file") { return .zwo }
    if head.contains("[COURSE HEADER]") || head.contains("[COURSE DATA]") { return .erg }
    if text.contains("[[sessions]]") { return .uair }
    if head.first(where: { !$0.isWhitespace }) == "{" { return try recognizeJSON(text) }
    throw ImportError("unknown format", remedy: "add --format with \(list)")
  }

  /// Throws if the extension is that of a format without times.
  static func refuseForeign(named name: String) throws(ImportError) {
    switch fileExtension(of: name) {
    case "crs", "pgmf":
      throw ImportError(
        "a course of distances and slopes has no times, so there is nothing to count down",
        remedy: "use an .erg or .mrc file"
      )
    case "fit":
      throw ImportError("FIT files cannot be read", remedy: "export the workout as .zwo or JSON")
    default: break
    }
  }

  private static func recognizeJSON(_ text: String) throws(ImportError) -> WorkoutFormat {
    if text.contains("\"workoutSegments\"") { return .garmin }
    if text.contains("\"exercises\"") { return .jawt }
    throw ImportError(
      "this JSON is neither a workout of Garmin Connect nor one of Just Another Workout Timer",
      remedy: "name the format with "
        + "--format")
  }

  private static func fileExtension(of name: String) -> String {
    let file = name.split(separator: "/").last ?? ""
    guard let dot = file.lastIndex(of: ".") else { return "" }
    return file[file.index(after: dot)...].lowercased()
  }
}
