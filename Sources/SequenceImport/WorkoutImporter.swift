import SequencePlatform
package import SequenceFiles
import SequenceRunner

/// A reader for the files of another program.
protocol WorkoutReader {
  static var readsJSON: Bool { get }

  /// Whether a file whose name doesn't show its format is one of these.
  static func recognizes(_ text: String) -> Bool

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition
}

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
    let sequence = try reader(of: format).sequence(from: text, named: name, as: format, &report)
    guard !sequence.elements.isEmpty else {
      throw ImportError(
        format == .cooklang
          ? LocalizedText("the file has no timers, so there is nothing to count down")
          : LocalizedText("the file has no steps with a time, so there is nothing to count down"))
    }
    report.comments.insert(origin(name, format, &report), at: 0)
    let file = try SequenceText.checked(sequence, report.comments)
    return ImportedWorkout(format: format, text: file, report: report)
  }

  private static func reader(of format: WorkoutFormat) -> any WorkoutReader.Type {
    switch format {
    case .zwo: ZwiftReader.self
    case .erg, .mrc: CourseReader.self
    case .uair: UairReader.self
    case .garmin: GarminReader.self
    case .cooklang: CooklangReader.self
    case .jawt: WorkoutTimerReader.self
    }
  }

  private static func origin(_ name: String, _ format: WorkoutFormat, _ report: inout ImportReport) -> String
  {
    let file = name == "-" ? "standard input" : PlainText.line(PlainText.fileName(name), &report)
    return "Made by sequence import of \(file) (\(format.title))."
  }

  private static func recognize(_ text: String, named name: String) throws(ImportError) -> WorkoutFormat {
    if let format = WorkoutFormat(ofFileNamed: name) { return format }
    let isJSON =
      WorkoutFormat.fileExtension(of: name) == "json" || text.first(where: { !$0.isWhitespace }) == "{"
    let formats = WorkoutFormat.allCases.filter { reader(of: $0).readsJSON == isJSON }
    if let format = formats.first(where: { reader(of: $0).recognizes(text) }) { return format }
    guard isJSON else {
      throw ImportError("unknown format", remedy: "add --format with \(WorkoutFormat.list)")
    }
    throw ImportError(
      "this JSON is not \(alternatives(formats.map(\.titleWithArticle)))",
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
