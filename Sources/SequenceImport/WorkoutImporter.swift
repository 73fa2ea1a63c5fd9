public import SequenceFiles
import SequenceRunner

/// A sequence file that was created from another program's file.
public struct ImportedWorkout: Equatable, Sendable {
  /// The format of the original file.
  package let format: WorkoutFormat
  /// The text of the sequence file.
  public let text: String
  /// The sequence, parsed from that text.
  public let sequence: ParsedSequence
  /// The parts that were not imported as written.
  public let report: ImportReport
}

/// The conversion of other programs' files to sequence files.
public enum WorkoutImporter {
  /// The largest size of a file in bytes; the same as for a sequence file.
  public static let largestFile = SequenceLimits.largestFile

  /// Converts a file to a sequence file.
  ///
  /// The result is parsed again and compared with the original. Nothing is cut; a file that exceeds the
  /// limits of a sequence is rejected.
  ///
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the name of the file, for its format and as a title if it has none; `-` for no name.
  ///   - format: the format of the file; `nil` to detect it.
  /// - Throws: `ImportError`.
  package static func sequence(
    from bytes: [UInt8], named name: String, as format: WorkoutFormat? = nil
  ) throws(ImportError) -> ImportedWorkout {
    if format == nil { try WorkoutFormat.refuseForeign(named: name) }
    guard bytes.count <= largestFile else {
      throw ImportError("the file is larger than 1 MiB")
    }
    var report = ImportReport()
    let text = try ForeignText.decode(bytes, &report)
    let format = if let format { format } else { try WorkoutFormat.recognize(text, named: name) }
    var draft = try draft(of: text, named: name, format, report)
    guard !draft.elements.isEmpty else {
      let missing = format == .cooklang ? "timers" : "steps with a time"
      throw ImportError("the file has no \(missing), so there is nothing to count down")
    }
    draft.comments = [comment(name, format, &draft.report)] + draft.comments
    try checkLengths(draft)
    let file = try SequenceYAML.text(of: draft)
    return ImportedWorkout(
      format: format, text: file, sequence: try check(file, against: draft), report: draft.report)
  }

  private static func draft(
    of text: String, named name: String, _ format: WorkoutFormat, _ report: ImportReport
  ) throws(ImportError) -> WorkoutDraft {
    switch format {
    case .zwo: try ZwiftReader.draft(of: text, named: name, report)
    case .erg, .mrc:
      try CourseReader.draft(of: text, named: name, isPercent: format == .mrc, report)
    case .uair: try UairReader.draft(of: text, named: name, report)
    case .garmin: try GarminReader.draft(of: text, named: name, report)
    case .cooklang: try CooklangReader.draft(of: text, named: name, report)
    case .jawt: try WorkoutTimerReader.draft(of: text, named: name, report)
    }
  }

  /// Returns the first comment of the file.
  private static func comment(_ name: String, _ format: WorkoutFormat, _ report: inout ImportReport) -> String
  {
    let file = name == "-" ? "standard input" : PlainText.line(PlainText.fileName(name), &report)
    return "Made by sequence import of \(file) (\(format.title))."
  }
}
