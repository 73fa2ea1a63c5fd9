package import FoundationEssentials
package import SequenceFiles
package import SequencePlatform
package import SequenceRunner
package import SequenceStore

/// A sequence that begins at a time of day.
package struct Schedule: Equatable, Sendable {
  /// Its number for people; zero for one that the store doesn't have yet.
  package var number: Int64 = 0
  /// The absolute path of the sequence file.
  package let path: String
  package var sequence: UUID
  package var title: String
  package let time: TimeOfDay
  /// The days that it has a time on; empty for the next one only.
  package let days: ScheduleDays
  /// How long before the time it begins, so that it ends then; `nil` if it begins at the time.
  package var lead: Duration?
  package let choices: ScheduleChoices
  /// The start that it waits for, as far as no clock is set until then.
  package var due: ClockReading
  /// The date of that start's time, as days since 1970.
  package var day: Int
  /// The last date that was decided, and how.
  package var last: Decision?

  package struct Decision: Hashable, Sendable {
    package let day: Int
    package let outcome: Outcome

    package init(day: Int, _ outcome: Outcome) {
      self.day = day
      self.outcome = outcome
    }
  }

  package enum Outcome: String, Sendable {
    case started
    /// The sequence was active.
    case passed = "passed-over"
    case missed
  }

  package init(
    path: String, sequence: UUID, title: String, time: TimeOfDay, days: ScheduleDays, lead: Duration?,
    choices: ScheduleChoices, due: ClockReading, day: Int
  ) {
    self.path = path
    self.sequence = sequence
    self.title = title
    self.time = time
    self.days = days
    self.lead = lead
    self.choices = choices
    self.due = due
    self.day = day
  }

  /// The time of its day at which the run is to end; `nil` without one.
  package var deadline: Moment? { lead.map { due.wall.advanced(by: $0) } }
}

/// The days of the week, with Monday first.
package struct ScheduleDays: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let daily = ScheduleDays(rawValue: 0b111_1111)
  package static let weekdays = ScheduleDays(rawValue: 0b001_1111)
  package static let weekends = ScheduleDays(rawValue: 0b110_0000)

  private static let groups: [(name: String, days: ScheduleDays)] = [
    ("daily", daily), ("weekdays", weekdays), ("weekends", weekends),
  ]
  private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// - Parameter weekday: from 0 for Monday.
  package func has(weekday: Int) -> Bool { isEmpty || contains(ScheduleDays(rawValue: 1 << weekday)) }

  /// The days of a text such as `weekdays` or `mon,thu`; `nil` for another text.
  package init?(_ text: String) {
    var days: ScheduleDays = []
    let words = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "," || $0 == " " }
    for word in words where !word.isEmpty {
      if let group = ScheduleDays.groups.first(where: { $0.name == word }) {
        days.formUnion(group.days)
      } else if word.count >= 2, let day = ScheduleDays.names.firstIndex(where: { $0.hasPrefix(word) }) {
        days.insert(ScheduleDays(rawValue: 1 << day))
      } else {
        return nil
      }
    }
    guard !days.isEmpty else { return nil }
    self = days
  }

  /// Each day with its name in lower case.
  package static var week: [(name: String, days: ScheduleDays)] {
    names.indices.map { (names[$0], ScheduleDays(rawValue: 1 << $0)) }
  }

  package var names: [String] { ScheduleDays.week.filter { contains($0.days) }.map(\.name) }

  /// The days as part of a sentence, such as `every Mon, Thu`; `nil` without one.
  package var phrase: String? {
    switch self {
    case []: nil
    case .daily: translated("daily")
    case .weekdays: translated("on weekdays")
    case .weekends: translated("on weekends")
    default: translated("every {}", text)
    }
  }

  package var text: String {
    switch self {
    case []: return translated("once")
    case .daily: return translated("daily")
    case .weekdays: return translated("weekdays")
    case .weekends: return translated("weekends")
    default:
      let short = ScheduleDays.shortNames
      return short.indices.filter { has(weekday: $0) }.map { short[$0] }.joined(separator: ", ")
    }
  }

  /// The names of the days in the user's language, from Monday on.
  package static let shortNames = [
    translated("Mon"), translated("Tue"), translated("Wed"), translated("Thu"), translated("Fri"),
    translated("Sat"), translated("Sun"),
  ]
}

/// The changes of a sequence for its scheduled runs, as the user gave them.
package struct ScheduleChoices: Hashable, Sendable {
  package var rounds: String?
  package var without: [String]
  package var lengths: [Length]
  package var sound: Bool?
  package var speech: Bool?
  /// The labels of the runs besides those of the sequence.
  package var labels: [String]

  package struct Length: Hashable, Sendable {
    package let title: String
    package let nanoseconds: Int64
  }

  package init(
    rounds: Rounds? = nil, without: [String] = [], lengths: [(title: String, length: Duration)] = [],
    cues: (sound: Bool, speech: Bool)? = nil, labels: [String] = []
  ) {
    self.rounds = rounds?.text
    self.without = without
    self.lengths = lengths.map { Length(title: $0.title, nanoseconds: $0.length.nanoseconds) }
    sound = cues?.sound
    speech = cues?.speech
    self.labels = labels
  }
}

/// No method opens a transaction: callers combine these calls with their own changes in one.
package struct ScheduleTable {
  package static let most = 100
  let database: Database

  package init(_ database: Database) { self.database = database }

  /// Returns the schedules in the order of their numbers.
  package func schedules() throws(StoreError) -> [Schedule] {
    // Most stores have none, and that question costs a third of the one for all columns.
    guard try !isEmpty() else { return [] }
    return try database.rows("SELECT \(Schedule.table.columns) FROM schedule ORDER BY number") {
      row throws(StoreError) in try Schedule(row, path: database.path)
    }
  }

  package func isEmpty() throws(StoreError) -> Bool {
    try database.rows("SELECT EXISTS (SELECT 1 FROM schedule)") { $0.integer(0) } == [0]
  }

  /// Returns the number of the new schedule, which no other one had.
  package func add(_ schedule: Schedule) throws(StoreError) -> Int64 {
    var values = schedule.values
    values[Schedule.Column.number.rawValue] = .null
    try database.run(Schedule.table.insert, values)
    guard let number = try database.rows("SELECT max(number) FROM schedule", make: { $0.integer(0) }).first
    else { throw .damaged(path: database.path, reason: "a schedule is gone") }
    return number
  }

  package func replace(_ schedule: Schedule) throws(StoreError) {
    try database.run(Schedule.table.replace, schedule.values)
  }

  package func remove(_ number: Int64) throws(StoreError) {
    try database.run("DELETE FROM schedule WHERE number = ?", .integer(number))
  }
}

extension Schedule {
  fileprivate enum Column: Int, CodingKey, CaseIterable {
    case number, path, sequence, title, hour, minute, days, lead, choices, wall, boot, bootID, day, lastDay,
      outcome
  }

  /// The days of the years that a moment can have.
  private static let possibleDays: ClosedRange<Int64> = -106_751_992...106_751_992

  fileprivate static let table = Table("schedule", Column.allCases.map(\.stringValue))

  fileprivate var values: [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .number: .integer(number)
      case .path: .text(path)
      case .sequence: .text(sequence.text)
      case .title: .text(title)
      case .hour: .integer(time.hour)
      case .minute: .integer(time.minute)
      case .days: .integer(days.rawValue)
      case .lead: lead.map { .integer($0.nanoseconds) } ?? .null
      case .choices: .text(JSONWriter.text { choices.write(to: &$0) })
      case .wall: .integer(due.wall.microseconds)
      case .boot: .integer(due.boot.nanoseconds)
      case .bootID: .text(due.bootID)
      case .day: .integer(day)
      case .lastDay: last.map { .integer($0.day) } ?? .null
      case .outcome: last.map { .text($0.outcome.rawValue) } ?? .null
      }
    }
  }

  fileprivate init(_ row: SQLRow, path: String) throws(StoreError) {
    let lead = row.optionalInteger(Column.lead).map { Duration.nanoseconds($0) }
    let last = row.optionalInteger(Column.lastDay)
    guard let sequence = UUID(text: row.text(Column.sequence)),
      let time = TimeOfDay(
        hour: Int(row.integer(Column.hour)), minute: Int(row.integer(Column.minute))),
      [row.integer(Column.day), last ?? 0].allSatisfy(Schedule.possibleDays.contains),
      lead.map({ $0 >= .zero }) ?? true
    else { throw .damaged(path: path, reason: "a schedule has no sequence, or a time that there is not") }
    let choices = try JSONReader.value(of: row.text(Column.choices), path: path) {
      json throws(JSONReader.Failure) in try ScheduleChoices(from: &json)
    }
    self.init(
      path: row.text(Column.path), sequence: sequence, title: row.text(Column.title), time: time,
      days: ScheduleDays(rawValue: Int(row.integer(Column.days)) & ScheduleDays.daily.rawValue),
      lead: lead, choices: choices,
      due: ClockReading(
        wall: Moment(microseconds: row.integer(Column.wall)), boot: .nanoseconds(row.integer(Column.boot)),
        bootID: row.text(Column.bootID)), day: Int(row.integer(Column.day)))
    number = row.integer(Column.number)
    if let last, let outcome = row.optionalText(Column.outcome).flatMap(Outcome.init) {
      self.last = Decision(day: Int(last), outcome)
    }
  }
}

extension ScheduleChoices {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("labels", labels)
      json.member("lengths") { json in
        json.array { json in for length in lengths { length.write(to: &json) } }
      }
      json.member("rounds", rounds)
      json.member("sound", sound)
      json.member("speech", speech)
      json.member("without", without)
    }
  }

  package init(from json: inout JSONReader) throws(JSONReader.Failure) {
    self.init()
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "rounds": rounds = try json.string()
      case "without": try json.array { json throws(JSONReader.Failure) in without.append(try json.string()) }
      case "lengths":
        try json.array { json throws(JSONReader.Failure) in lengths.append(try Length(from: &json)) }
      case "sound": sound = try json.boolean()
      case "speech": speech = try json.boolean()
      case "labels":
        try json.array { json throws(JSONReader.Failure) in labels.append(try json.string()) }
        guard labels.allSatisfy(RunName.isValid) else { throw json.failure("labels") }
      default: try json.skip()
      }
    }
  }
}

extension ScheduleChoices.Length {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("nanoseconds", nanoseconds)
      json.member("title", title)
    }
  }

  fileprivate init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (title, nanoseconds) = ("", Int64(0))
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "title": title = try json.string()
      case "nanoseconds": nanoseconds = try json.integer()
      default: try json.skip()
      }
    }
    (self.title, self.nanoseconds) = (title, nanoseconds)
  }
}

struct ScheduleTables: StorePart {
  /// One row for each schedule: its time, the start that it waits for, and the last date that was decided.
  ///
  /// Moments are whole microseconds of the wall clock, durations whole nanoseconds, dates days since 1970.
  let component = SchemaComponent(
    name: "schedules",
    tables: """
      CREATE TABLE schedule (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL,
        sequence TEXT NOT NULL,
        title TEXT NOT NULL,
        hour INTEGER NOT NULL,
        minute INTEGER NOT NULL,
        days INTEGER NOT NULL,
        lead INTEGER,
        choices TEXT NOT NULL,
        wall INTEGER NOT NULL,
        boot INTEGER NOT NULL,
        boot_id TEXT NOT NULL,
        day INTEGER NOT NULL,
        last_day INTEGER,
        outcome TEXT
      ) STRICT;
      """)

  func check(_ database: Database) throws(StoreError) { _ = try ScheduleTable(database).schedules() }

  func salvage(
    from damaged: Database, into database: Database, at reading: ClockReading
  ) throws(StoreError) {
    let schedules = try damaged.readableRows(of: "schedule", Schedule.table.columns) {
      row throws(StoreError) in try Schedule(row, path: damaged.path)
    }
    for schedule in schedules {
      try database.run(Schedule.table.insertIfNew, schedule.values)
    }
  }
}
