import FoundationEssentials
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum ScheduleCommand {
  static let command = Command(
    "schedule", "start a sequence at a time of day, list schedules, or remove one", argument: subject,
    rest: "TIME",
    options: own + [Flag.json],
    discussion: [
      """
      TIME is 7:00, 2pm, noon or midnight. Without --on, the sequence begins at the next such time, and the \
      schedule is gone after it. DAYS are daily, weekdays, weekends, or names such as mon,thu.
      """,
      "With --until, it begins so early that it ends at TIME by its planned length.",
      """
      The agent starts it beside other runs, and says so. It doesn't while the sequence is active. If the \
      computer was off or asleep, a notification offers to start it. The file is read when the sequence \
      begins.
      """,
      "schedule list shows the schedules with their numbers; schedule remove NUMBER removes one.",
    ],
    examples: [
      .init("sequence schedule morning 7:00 --on weekdays", "start it each weekday at 7:00"),
      .init("sequence schedule train.yaml --until 7:52", "start it once, so that it ends at 7:52"),
      .init("sequence schedule", "list the schedules"),
      .init("sequence schedule remove 2", "remove schedule 2"),
    ], perform: perform)

  private static let list = "list"
  private static let remove = "remove"
  static let actions: [Completion.Candidate] = [
    .init(value: list, description: translated("list the schedules")),
    .init(value: remove, description: translated("remove a schedule")),
  ]

  private static let subject = Argument<String>("NAME|FILE|list|remove", isOptional: true, kind: .scheduled)
  private static let on = Option<ScheduleDays>(
    "on", "DAYS", "repeat: daily, weekdays, weekends, or days such as mon,thu",
    kind: .choice(["daily", "weekdays", "weekends"])
  ) { text throws(Failure) in
    guard let days = ScheduleDays(text) else {
      throw Failure(
        usage: "--on must be days, not \(quote(text))",
        remedy: "write daily, weekdays, weekends, or names such as mon,thu")
    }
    return days
  }
  private static let until = Option<TimeOfDay>(
    "until", "TIME", "end at this time, such as 7:52", parse: UntilOption.time)

  /// The options of a new schedule.
  private static let own: [any OptionSpec] = [
    on, until, SequenceArguments.rounds, SequenceArguments.without, SequenceArguments.set, LabelOption.added,
    CueOption.option,
  ]

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let word = try arguments[subject] ?? list
    switch word {
    case list, remove:
      if let option = own.first(where: { arguments.has($0) }) {
        throw Failure(
          usage: "--\(option.name) works only with a sequence",
          remedy: "write sequence schedule NAME TIME, or ./\(word) for a sequence of that name")
      }
      return word == list ? try list(arguments, context) : try remove(arguments, context)
    default: return try add(word, arguments, context)
    }
  }

  private static func add(
    _ word: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    guard word != "-" else {
      throw Failure(
        usage: "standard input cannot be read again", remedy: "write the sequence to a file")
    }
    let end = try arguments[until]
    let time = try end ?? time(arguments, of: word)
    if end != nil, !arguments.rest.isEmpty {
      throw Failure(usage: "a TIME and --until cannot be combined", remedy: "remove one of them")
    }
    let choices = ScheduleChoices(
      rounds: try arguments[SequenceArguments.rounds],
      without: try arguments.values(SequenceArguments.without),
      lengths: try arguments.values(SequenceArguments.set), cues: try arguments[CueOption.option],
      labels: try LabelOption.labels(arguments))
    let source = try SequenceSource(
      word, rounds: try arguments[SequenceArguments.rounds], without: choices.without,
      lengths: try arguments.values(SequenceArguments.set), context.clientContext)
    let client = try context.client(arguments)
    let schedule: Schedule
    do {
      schedule = try client.add(
        client.schedule(source, choices, at: time, on: try arguments[on] ?? [], until: end != nil))
    } catch let problem as Problem {
      throw Failure(problem, .usage)
    }
    if arguments.has(.json) {
      try context.print(JSONText.encode(ScheduleDocument(schedule)))
    } else {
      try context.print(TextSafety.sanitised(ScheduleText.line(schedule)))
    }
    if try context.agentInstallation.login(of: client.store.directory).kind == nil {
      context.say(
        Problem(
          "after the next login, nothing starts at its time before you use Sequence",
          remedy: "run sequence agent install"))
    }
    return .done
  }

  private static func time(_ arguments: ParsedArguments, of word: String) throws(Failure) -> TimeOfDay {
    let text = arguments.rest.joined(separator: " ")
    guard !text.isEmpty else {
      throw Failure(usage: "schedule needs a time", remedy: "write it like sequence schedule \(word) 7:00")
    }
    guard let time = TimeOfDay(text) else {
      throw Failure(usage: "\(quote(text)) is not a time of day", remedy: "write it like 7:00 or 7pm")
    }
    return time
  }

  private static func list(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if let extra = arguments.rest.first {
      throw Failure(usage: "unexpected argument \(quote(extra))", remedy: "see sequence help schedule")
    }
    let client = try context.client(arguments)
    let schedules = try client.schedules()
    if !schedules.isEmpty { client.ensureAgent() }
    if arguments.has(.json) {
      try context.print(JSONText.encode(SchedulesDocument(schedules)))
    } else if schedules.isEmpty {
      context.printError(translated("no schedules yet"))
    } else {
      var table = TextTable([
        .init(title: "", alignment: .right), .init(title: translated("sequence"), most: 30, least: 8),
        .init(title: translated("time of day")), .init(title: translated("days")),
        .init(title: translated("next")),
        .init(title: translated("last")),
      ])
      for schedule in schedules {
        table.add([
          String(schedule.number), TextSafety.sanitised(schedule.title),
          schedule.lead == nil ? schedule.time.shown : translated("until {}", schedule.time.shown),
          schedule.days.text,
          LocalDays.text(of: schedule.due.wall), schedule.last.map(ScheduleText.last) ?? "",
        ])
      }
      try context.print(table.lines(in: context.columns).joined(separator: "\n"))
    }
    return .done
  }

  private static func remove(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    guard arguments.rest.count == 1, let text = arguments.rest.first, let number = Int64(text), number > 0
    else {
      throw Failure(
        usage: "schedule remove needs the number of a schedule", remedy: "see sequence schedule list")
    }
    guard let removed = try context.client(arguments).removeSchedule(number) else {
      throw Failure("there is no schedule \(number)", remedy: "see sequence schedule list", .nothingToActOn)
    }
    if arguments.has(.json) {
      try context.print(JSONText.encode(ScheduleDocument(removed)))
    } else {
      try context.print(
        TextSafety.sanitised(
          translated(
            "removed schedule {number} of {title}",
            ["number": String(removed.number), "title": quote(removed.title)])))
    }
    return .done
  }
}

enum ScheduleText {
  /// Returns the answer to a new schedule, with date and time of its first start.
  static func line(_ schedule: Schedule) -> String {
    let begin = translated(
      "schedule {number}: {title} begins on {time}",
      [
        "number": String(schedule.number), "title": quote(schedule.title),
        "time": LocalDays.text(of: schedule.due.wall),
      ])
    let end = schedule.lead.map { _ in translated("to end at {}", schedule.time.shown) }
    let repeats = schedule.days.phrase.map { translated("and then {}", $0) }
    return [begin, end, repeats].compactMap { $0 }.joined(separator: ", ")
  }

  static func last(_ decision: Schedule.Decision) -> String {
    let day = CivilDay(number: decision.day).description
    return switch decision.outcome {
    case .started: translated("started {}", day)
    case .passed: translated("passed over {}", day)
    case .missed: translated("missed {}", day)
    }
  }
}

struct ScheduleDocument: Encodable {
  let schema = JSONText.schema
  let number: Int64
  let sequence: SequenceIdentity
  let file: String
  let time: String
  /// Whether the sequence ends at the time instead of beginning at it.
  let isEnd: Bool
  let days: [String]
  let next: String
  let last: Last?

  struct Last: Encodable {
    let date: String
    let outcome: String
  }

  init(_ schedule: Schedule) {
    number = schedule.number
    sequence = SequenceIdentity(id: schedule.sequence.uuidString, title: schedule.title)
    file = schedule.path
    time = schedule.time.text
    isEnd = schedule.lead != nil
    days = schedule.days.names
    next = schedule.due.wall.description
    last = schedule.last.map {
      Last(date: CivilDay(number: $0.day).description, outcome: $0.outcome.rawValue)
    }
  }
}

struct SchedulesDocument: Encodable {
  let schema = JSONText.schema
  let schedules: [ScheduleDocument]

  init(_ schedules: [Schedule]) { self.schedules = schedules.map(ScheduleDocument.init) }
}
