import SequencePlatform
package import SequenceFiles
import SequenceRunner

package enum WorkoutImporter {
  /// - Parameters:
  ///   - path: the path of the file; `-` is standard input.
  ///   - format: the format of the file; `nil` to detect it.
  package static func answer(ofFileAt path: String, as format: WorkoutFormat?) -> ImportAnswer {
    do throws(ImportError) {
      return .imported(try workout(from: try bytes(ofFileAt: path), named: path, as: format))
    } catch {
      return .refused(error)
    }
  }

  private static func bytes(ofFileAt path: String) throws(ImportError) -> [UInt8] {
    do throws(SystemError) {
      return try readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
    } catch {
      throw ImportError("cannot be read: \(error.reason)", isUnreadable: true)
    }
  }

  /// The result is parsed again and compared with the original.
  ///
  /// Nothing is cut; a file that exceeds the limits of a sequence is rejected.
  ///
  /// - Parameters:
  ///   - name: the name of the file, for its format and as a title if it has none; `-` for no name.
  ///   - format: the format of the file; `nil` to detect it.
  package static func workout(
    from bytes: [UInt8], named name: String, as format: WorkoutFormat? = nil
  ) throws(ImportError) -> ImportedWorkout {
    if format == nil { try refuseForeign(named: name) }
    guard bytes.count <= SequenceLimits.largestFile else {
      throw ImportError("the file is larger than 1 MiB")
    }
    var report = ImportReport()
    let text = try ForeignText.decode(bytes, &report)
    let format = if let format { format } else { try recognize(text, named: name) }
    let sequence = try sequence(from: text, named: name, format, &report)
    guard !sequence.elements.isEmpty else {
      let missing = format == .cooklang ? "timers" : "steps with a time"
      throw ImportError("the file has no \(missing), so there is nothing to count down")
    }
    report.comments.insert(origin(name, format, &report), at: 0)
    let file = try SequenceText.checked(sequence, report.comments)
    return ImportedWorkout(format: format, text: file, report: report)
  }

  private static func sequence(
    from text: String, named name: String, _ format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    switch format {
    case .zwo: try ZwiftReader.sequence(from: text, named: name, &report)
    case .erg, .mrc:
      try CourseReader.sequence(from: text, named: name, isPercent: format == .mrc, &report)
    case .uair: try UairReader.sequence(from: text, named: name, &report)
    case .garmin: try GarminReader.sequence(from: text, named: name, &report)
    case .cooklang: try CooklangReader.sequence(from: text, named: name, &report)
    case .jawt: try WorkoutTimerReader.sequence(from: text, named: name, &report)
    }
  }

  private static func origin(_ name: String, _ format: WorkoutFormat, _ report: inout ImportReport) -> String
  {
    let file = name == "-" ? "standard input" : PlainText.line(PlainText.fileName(name), &report)
    return "Made by sequence import of \(file) (\(format.title))."
  }

  private static func recognize(_ text: String, named name: String) throws(ImportError) -> WorkoutFormat {
    if let format = WorkoutFormat(ofFileNamed: name) { return format }
    if WorkoutFormat.fileExtension(of: name) == "json" { return try recognizeJSON(text) }
    let head = text.prefix(4096)
    if head.contains("<workout_file") { return .zwo }
    if head.contains("[COURSE HEADER]") || head.contains("[COURSE DATA]") { return .erg }
    if text.contains("[[sessions]]") { return .uair }
    if head.first(where: { !$0.isWhitespace }) == "{" { return try recognizeJSON(text) }
    throw ImportError("unknown format", remedy: "add --format with \(WorkoutFormat.list)")
  }

  private static func recognizeJSON(_ text: String) throws(ImportError) -> WorkoutFormat {
    if text.contains("\"workoutSegments\"") { return .garmin }
    if text.contains("\"exercises\"") { return .jawt }
    throw ImportError(
      "this JSON is neither a workout of Garmin Connect nor one of Just Another Workout Timer",
      remedy: "name the format with --format")
  }

  private static func refuseForeign(named name: String) throws(ImportError) {
    switch WorkoutFormat.fileExtension(of: name) {
    case "crs", "pgmf":
      throw ImportError(
        "a course of distances and slopes has no times, so there is nothing to count down",
        remedy: "use an .erg or .mrc file")
    case "fit":
      throw ImportError("FIT files cannot be read", remedy: "export the workout as .zwo or JSON")
    default: break
    }
  }
}
