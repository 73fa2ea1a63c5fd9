import Glibc
import SequencePlatform
import SequenceClient
import SequenceFiles
import SequenceRunner

enum ImportCommand {
  static let command = Command(
    "import", "convert a file of another program", argument: file,
    options: [format, output, force, json],
    discussion: [
      """
      It reads \(WorkoutFormat.titles). FILE may be - for standard input. The name of the file decides its \
      format, unless you give --format.
      """,
      "Everything that it drops or changes is listed on standard error, one line per kind.",
      "Exit status: 65 if the file cannot be imported, 74 if it cannot be read or written.",
    ],
    examples: [
      .init("sequence import ride.zwo --output ride.yaml", "convert a Zwift workout"),
      .init("sequence import recipe.cook | sequence run -", "run the timers of a recipe"),
    ]
  ) { arguments, context in try perform(arguments, context) }

  private static let file = Argument<String>("FILE", kind: .file)
  private static let format = Option<WorkoutFormat>("format", "FORMAT", WorkoutFormat.list)
  private static let output = Option<String>(
    "output", "FILE", "write to FILE instead of standard output", kind: .file)
  private static let force = Flag("force", "overwrite an existing file")
  private static let json = Flag("json", "print the report as JSON (needs --output)")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let target = try target(arguments)
    let path = try arguments.required(file)
    let name = path == "-" ? "standard input" : path
    let workout: ImportedWorkout
    do {
      workout = try AgentProgram.convert(
        path, as: try arguments[format], by: try context.agentProgram(), context.environment, context.clock)
    } catch let error as ImportError {
      throw Failure(error.problem(inFile: name), error.isUnreadable ? .inputOutput : .data)
    }
    if let target {
      try write(workout.text, to: target, replacing: arguments.has(force))
    } else {
      try print(workout.text, context)
    }
    if arguments.has(json) {
      try print(try JSONText.encode(ImportDocument(workout, of: path)) + "\n", context)
    } else {
      for line in workout.report.lines {
        context.printError("sequence: \(TextSafety.sanitised("\(name): \(line)"))")
      }
    }
    return .done
  }

  private static func target(_ arguments: ParsedArguments) throws(Failure) -> String? {
    let path = try arguments[output]
    guard path?.isEmpty != true else { throw Failure(missingValueOf: output) }
    if let path, path.unicodeScalars.contains("\u{FFFD}") {
      throw Failure(usage: "the file \(quote(path)) is not UTF-8", remedy: "choose another name")
    }
    if arguments.has(json), path == nil || path == "-" {
      throw Failure(
        usage: "--json needs --output, because the sequence goes to standard output",
        remedy: "add --output FILE")
    }
    if arguments.has(force), path == nil {
      throw Failure(usage: "--force needs --output", remedy: "add --output FILE")
    }
    return path == "-" ? nil : path
  }

  private static func write(
    _ text: String, to path: String, replacing isForced: Bool
  ) throws(Failure) {
    do throws(SystemError) {
      try AtomicFile.write(text, to: path, replacing: isForced)
    } catch {
      guard error.code != EEXIST else {
        throw Failure("\(path) already exists", remedy: "to overwrite it, add --force", .inputOutput)
      }
      throw Failure(
        "\(path): cannot be written: \(error.reason)", remedy: AtomicFile.remedy(for: error, path),
        .inputOutput)
    }
  }

  private static func print(_ text: String, _ context: CommandContext) throws {
    do {
      try context.print(String(text.dropLast()))
    } catch let error as SystemError {
      // The reader closed the pipe, which is not an error; the report follows all the same.
      guard error.code != EPIPE else { return }
      throw Failure("standard output cannot be written: \(error.reason)", .inputOutput)
    }
  }
}

private struct ImportDocument: Encodable {
  let schema = JSONText.schema
  let file: String
  let format: WorkoutFormat
  let title: String
  /// The number of steps; absent for an endless sequence.
  let steps: Int?
  /// The total of all countdowns, in seconds; absent for an endless sequence.
  let duration: Double?
  let dropped: [Entry]
  let changed: [Entry]

  struct Entry: Encodable {
    let what: String
    let count: Int

    init(_ entry: ImportReport.Entry) { (what, count) = (entry.what.description, entry.count) }
  }

  init(_ workout: ImportedWorkout, of file: String) throws(SequenceFileError) {
    let timeline = try SequenceFile.parse(Array(workout.text.utf8)).timeline
    self.file = file
    format = workout.format
    title = timeline.definition.title
    steps = timeline.count
    duration = timeline.count.map { timeline.duration(of: 0..<$0).seconds }
    dropped = workout.report.dropped.map(Entry.init)
    changed = workout.report.changed.map(Entry.init)
  }
}
