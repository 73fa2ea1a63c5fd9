public import SequenceFiles
import SequenceRunner

/// A sequence file that was made of a file of another program.
public struct ImportedWorkout: Equatable, Sendable {
  /// What the file was.
  public let format: WorkoutFormat
  /// The sequence file.
  public let text: String
  /// The sequence, as it is read from that file.
  public let sequence: ParsedSequence
  /// What became of the rest.
  public let report: ImportReport
}

/// Makes sequence files of the files of other programs.
public enum WorkoutImporter {
  /// How many bytes a file may have: as many as a sequence file.
  public static let largestFile = SequenceLimits.largestFile

  /// Makes a sequence file.
  ///
  /// What is written is read again, and has to be what was meant: nothing is cut, and what no sequence may have is
  /// refused.
  ///
  /// - Parameters:
  ///   - bytes: what is in the file.
  ///   - name: what it is called, for its format and for a title if it has none; `-` if it has no name.
  ///   - format: what it is; `nil` if that is to be found out.
  /// - Throws: `ImportError`.
  public static func sequence(
    from bytes: [UInt8], named name: String, as format: WorkoutFormat? = nil
  ) throws(ImportError) -> ImportedWorkout {
    if format == nil { try WorkoutFormat.refuseForeign(named: name) }
    guard bytes.count <= largestFile else {
      throw ImportError("the file has more than 1 MiB, which no workout needs")
    }
    var report = ImportReport()
    let text = try ForeignText.decode(bytes, &report)
    let format = if let format { format } else { try WorkoutFormat.recognize(text, named: name) }
    var draft = try draft(of: text, named: name, format, report)
    guard !draft.elements.isEmpty else { throw ImportError("there is no step in it") }
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

  /// The first line of the file.
  private static func comment(_ name: String, _ format: WorkoutFormat, _ report: inout ImportReport) -> String
  {
    let file = name == "-" ? "standard input" : PlainText.line(name.split(separator: "/").last ?? "", &report)
    return "Made by sequence import of \(file) (\(format.title))."
  }
}
