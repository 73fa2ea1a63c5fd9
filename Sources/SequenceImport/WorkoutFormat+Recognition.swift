import SequenceFiles

extension WorkoutFormat {
  /// Returns the format of a file, from its extension or else its contents.
  ///
  /// - Throws: `ImportError` if the format is unknown or cannot be imported.
  static func recognize(_ text: String, named name: String) throws(ImportError) -> WorkoutFormat {
    if let format = WorkoutFormat(ofFileNamed: name) { return format }
    if fileExtension(of: name) == "json" { return try recognizeJSON(text) }
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
}
