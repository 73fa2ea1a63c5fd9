import FoundationEssentials
import Glibc
import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceImport

/// `sequence-agent --import`: converts a file and reports the differences.
enum ImportProgram {
  /// Runs the program with the words after its name.
  ///
  /// - Returns: the exit status.
  static func run(_ words: [String]) -> Int32 {
    do throws(ImportFailure) {
      let options = try ImportOptions(words)
      let workout = try workout(options)
      try write(workout, options)
      try report(workout, options)
      return 0
    } catch {
      say(error.description)
      return error.status.rawValue
    }
  }

  private static func workout(_ options: ImportOptions) throws(ImportFailure) -> ImportedWorkout {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readAll(fromFileAt: options.input, upTo: WorkoutImporter.largestFile)
    } catch {
      throw ImportFailure("\(name(options)): cannot be read: \(error.reason)", .inputOutput)
    }
    do throws(ImportError) {
      return try WorkoutImporter.sequence(from: bytes, named: options.input, as: options.format)
    } catch {
      throw ImportFailure(error.problem(inFile: name(options)), remedy: error.remedy, .data)
    }
  }

  private static func write(_ workout: ImportedWorkout, _ options: ImportOptions) throws(ImportFailure) {
    guard let path = options.output else { return try print(workout.text) }
    do throws(SystemError) {
      try AtomicFile.write(workout.text, to: path, replacing: options.isForced)
    } catch {
      guard error.code != EEXIST else {
        throw ImportFailure(
          "\(path) already exists", remedy: "to overwrite it, add --force", .inputOutput
        )
      }
      throw ImportFailure(
        "\(path): cannot be written: \(error.reason)", remedy: AtomicFile.remedy(for: error, path),
        .inputOutput)
    }
  }

  /// Reports the parts of the file that were not imported as written.
  private static func report(_ workout: ImportedWorkout, _ options: ImportOptions) throws(ImportFailure) {
    guard options.isJSON else { return workout.report.lines.forEach { say("\(name(options)): \($0)") } }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let document = ReportDocument(workout, file: options.input)
      let text = String(decoding: try encoder.encode(document), as: UTF8.self)
      try print(TextSafety.escapedJSON(text) + "\n")
    } catch let error as ImportFailure {
      throw error
    } catch {
      throw ImportFailure("the report cannot be written: \(error)", .inputOutput)
    }
  }

  private static func print(_ text: String) throws(ImportFailure) {
    do throws(SystemError) {
      try writeAll(text.utf8, to: STDOUT_FILENO)
    } catch {
      // The reader closed the pipe, which is not an error.
      guard error.code != EPIPE else { return }
      throw ImportFailure("standard output cannot be written: \(error.reason)", .inputOutput)
    }
  }

  private static func say(_ text: String) {
    // If standard error cannot be written, there is no other place for the message.
    try? writeAll("sequence: \(TextSafety.sanitised(text))\n".utf8, to: STDERR_FILENO)
  }

  private static func name(_ options: ImportOptions) -> String {
    options.input == "-" ? "standard input" : options.input
  }
}

/// The JSON document of `import --json`.
private struct ReportDocument: Encodable {
  let schema = 1
  /// The name of the input file.
  let file: String
  let format: WorkoutFormat
  let title: String
  /// The number of steps; absent for an endless sequence.
  let steps: Int?
  /// The total of all countdowns, in seconds; absent for an endless sequence.
  let duration: Double?
  let dropped: [ImportReport.Entry]
  let changed: [ImportReport.Entry]

  init(_ workout: ImportedWorkout, file: String) {
    let timeline = workout.sequence.timeline
    self.file = file
    format = workout.format
    title = timeline.definition.title
    steps = timeline.count
    duration = timeline.count.map { timeline.duration(of: 0..<$0).seconds }
    dropped = workout.report.dropped
    changed = workout.report.changed
  }
}
