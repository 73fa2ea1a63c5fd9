/// The formats of other programs that a sequence can be made of.
public enum WorkoutFormat: String, CaseIterable, Sendable, Encodable {
  /// A workout of Zwift.
  case zwo
  /// A course of times and watts, as CompuTrainer had them.
  case erg
  /// A course of times and percents of the threshold power.
  case mrc
  /// The configuration of uair, a pomodoro timer.
  case uair
  /// A workout of Garmin Connect, as its web service hands it out.
  case garmin
  /// A recipe in Cooklang, of which the timers are taken.
  case cooklang
  /// A workout of Just Another Workout Timer.
  case jawt

  /// What it is called in a text.
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

  /// The names of all of them, as a message lists them.
  public static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension WorkoutFormat {
  /// The format of a file, by the end of its name and else by what is in it.
  ///
  /// - Throws: `ImportError` if nothing tells it, or if it is one that cannot be imported.
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
    throw ImportError("nothing tells what format this is", remedy: "name it with --format: \(list)")
  }

  /// Refuses what is known to hold no times, by the end of its name.
  static func refuseForeign(named name: String) throws(ImportError) {
    switch fileExtension(of: name) {
    case "crs", "pgmf":
      throw ImportError(
        "a course of distances and slopes has no times, so there is nothing to count down",
        remedy: "use an .erg or .mrc file"
      )
    case "fit":
      throw ImportError("a FIT file is binary, and is not read", remedy: "export the workout as .zwo or JSON")
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
