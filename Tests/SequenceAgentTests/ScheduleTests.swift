import Foundation
import NotifierLedger
@testable import SequenceAgent
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// What the agent makes of schedules, however often it is killed.
@Suite(.timeLimit(.minutes(1)))
final class ScheduleTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let path: String
  private var store: RunStore
  private var director: ScheduleDirector
  private var asleep = Duration.zero
  /// The time zone; `nil` for that of the system.
  private var zone: TimeZone?

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/morning.yaml"
    try Data("title: Morning\ncards: [{ title: Shower, countdown: 5m }, { title: Dress, countUp: 2m }]".utf8)
      .write(to: URL(fileURLWithPath: path))
    store = try CompleteStore.open(in: StateDirectory(path: directory.path + "/state"), clock: clock)
    director = ScheduleDirector(
      store: store, configuration: { Configuration() }, timeAsleep: { .zero }, onFailure: { _ in })
    restart()
  }

  private func restart() {
    director = ScheduleDirector(
      store: store, configuration: { Configuration() }, timeAsleep: { [unowned self] in asleep },
      calendar: { [unowned self] in calendar }, onFailure: { Issue.record($0) })
  }

  private var calendar: ScheduleCalendar {
    guard let zone else { return ScheduleCalendar() }
    return ScheduleCalendar { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
  }

  /// Schedules the file for an hour from now, at a whole minute.
  private func add(on days: ScheduleDays = .daily, lead: Duration? = nil) throws -> Schedule {
    let text = LocalDays.text(of: clock.now().wall.advanced(by: .seconds(3600)))
    return try add(at: #require(TimeOfDay(String(text.suffix(5)))), on: days, lead: lead)
  }

  private func add(at time: TimeOfDay, on days: ScheduleDays, lead: Duration? = nil) throws -> Schedule {
    let source = try SequenceSource(path: path, ScheduleChoices())
    var schedule = Schedule(
      path: path, sequence: source.timeline.definition.id, title: "Morning",
      time: time, days: days, lead: lead,
      choices: ScheduleChoices(labels: ["early"]), due: clock.now(), day: 0)
    let hasNext = schedule.wait(by: calendar, at: clock.now())
    #expect(hasNext)
    schedule.number = try store.base.transaction { database throws(StoreError) in
      try ScheduleTable(database).add(schedule)
    }
    return schedule
  }

  private var schedules: [Schedule] { get throws { try ScheduleTable(store.database).schedules() } }
  private var notifications: [LedgerEntry] {
    get throws {
      try store.readLedger { ledger throws(StoreError) in try ledger.entries(in: .allSequences) }
        .filter { $0.request.identifier.rawValue.hasSuffix(".started") && $0.state == .pending }
    }
  }
  private func turn() throws { _ = try director.startDue(at: clock.now()) }
  private func reach(_ schedule: Schedule, late: Duration = .zero) {
    clock.advance(untilBoot: schedule.due.boot + late)
  }

  @Test func `the agent starts a sequence exactly at its time, and says so with two buttons`() throws {
    let schedule = try add()
    try turn()
    #expect(director.nextWake == schedule.due.boot)
    #expect(try store.peek().run == nil)
    reach(schedule, late: .seconds(3))
    try turn()
    let run = try #require(try store.peek().run)
    #expect(run.startedAt == schedule.due.wall && run.labels == ["early"])
    let request = try #require(try notifications.first).request
    #expect(request.summary == "Morning has begun: Shower, 5m", "\(request.summary)")
    #expect(request.actions.map(\.title) == ["Pause", "Stop"])
    let next = try #require(try schedules.first)
    #expect(next.last == Schedule.Decision(day: schedule.day, .started))
    #expect(next.day == schedule.day + 1)
    // A killed agent starts nothing twice.
    restart()
    try turn()
    #expect(try store.peek().runs.count == 1)
  }

  @Test func `a schedule takes over the title that the file has at its time`() throws {
    let schedule = try add()
    try Data("title: Early\ncards: [{ title: Shower, countdown: 5m }]".utf8).write(
      to: URL(fileURLWithPath: path))
    reach(schedule)
    try turn()
    #expect(try schedules.map(\.title) == ["Early"])
    #expect(try schedules.map(\.sequence) == [try #require(try store.peek().run).sequence.id])
  }

  @Test func `a schedule without days is gone after its time`() throws {
    reach(try add(on: []))
    try turn()
    #expect(try store.peek().run != nil)
    #expect(try schedules.isEmpty)
    #expect(try director.hasNothingToWaitFor())
  }

  @Test func `a scheduled run is the current one only without another sequence`() throws {
    var schedule = try add()
    reach(schedule)
    try turn()
    #expect(try store.peek().run?.sequence.title == "Morning")
    try store.perform(.stop)
    schedule = try #require(try schedules.first)
    try store.start(try CardSpec.sequence(cards: ["Work 99h"]))
    reach(schedule)
    try turn()
    let titles = try store.peek().runs.map(\.sequence.title)
    #expect(titles.count == 2 && titles.last == "Morning", "\(titles)")
    // A command that names it makes it the current one.
    let scheduled = try #require(try store.peek().runs.last)
    try store.perform(.pause, on: scheduled.runID)
    #expect(try store.peek().run?.runID == scheduled.runID)
    try store.perform(.stop)
    #expect(try store.peek().run?.sequence.title == "Work")
  }

  enum Obstacle: CaseIterable { case late, asleep, reboot, unreadable }

  @Test(arguments: Obstacle.allCases)
  func `what can't begin in time is missed, told once, and can be started`(obstacle: Obstacle) throws {
    let schedule = try add()
    try turn()
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    switch obstacle {
    case .late: reach(schedule, late: .seconds(31))
    case .asleep:
      reach(schedule, late: .seconds(10))
      asleep = .seconds(20)
    case .reboot:
      reach(schedule, late: .seconds(-5))
      clock.reboot(after: .seconds(10))
    case .unreadable:
      reach(schedule)
      try Data("cards: [".utf8).write(to: URL(fileURLWithPath: path))
    }
    try turn()
    try turn()
    #expect(try store.peek().run == nil)
    #expect(try schedules.first?.last == Schedule.Decision(day: schedule.day, .missed))
    let told = try notifications
    #expect(told.count == 1)
    let request = try #require(told.first).request
    #expect(request.summary.hasPrefix("Morning was due at "))
    #expect(request.body.isEmpty == (obstacle != .unreadable))
    try text.write(to: URL(fileURLWithPath: path))
    let entry = try #require(told.first)
    _ = try store.base.transaction { _ throws(StoreError) in
      try director.startMissed(entry, at: clock.now())
    }
    #expect(try store.peek().run?.sequence.title == "Morning")
    #expect(try notifications.isEmpty)
  }

  @Test func `a time is passed over while the sequence is active`() throws {
    let schedule = try add()
    try store.start(SequenceSource(path: path, ScheduleChoices()).timeline)
    try store.perform(.pause)
    reach(schedule)
    try turn()
    #expect(try store.peek().runs.count == 1)
    #expect(try notifications.isEmpty)
    #expect(try schedules.first?.last?.outcome == .passed)
  }

  @Test func `a time that a clock jumps over is not missed, and one that comes again is not started again`()
    throws
  {
    let schedule = try add()
    try turn()
    clock.setWall(by: .seconds(2 * 3600))
    try turn()
    #expect(try store.peek().run == nil && notifications.isEmpty)
    let tomorrow = try #require(try schedules.first)
    #expect(tomorrow.day == schedule.day + 1 && tomorrow.last == nil)
    reach(tomorrow)
    try turn()
    #expect(try store.peek().run != nil)
    try store.perform(.stop)
    clock.setWall(by: .seconds(-600))
    try turn()
    clock.advance(by: .seconds(700))
    try turn()
    #expect(try store.peek().run == nil)
  }

  @Test func `a run with an end begins earlier by its length, also if the file became shorter`() throws {
    let schedule = try add(lead: .seconds(300))
    try Data("title: Morning\ncards: [{ title: Shower, countdown: 2m }]".utf8)
      .write(to: URL(fileURLWithPath: path))
    reach(schedule)
    try turn()
    #expect(try store.peek().run == nil)
    let later = try #require(try schedules.first)
    #expect(later.due.wall == schedule.due.wall.advanced(by: .seconds(180)))
    reach(later)
    try turn()
    #expect(try store.peek().run?.deadline?.wall == schedule.deadline)
  }

  /// A date of the schedule and the first moment of its time, as Foundation's calendar has them.
  private func expected(
    _ time: TimeOfDay, on days: ScheduleDays, after now: Moment, beyond decided: Int
  ) -> (day: Int, moment: Moment)? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone ?? .gmt
    var date = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
    for _ in 0..<10 {
      guard
        let next = calendar.nextDate(
          after: date, matching: DateComponents(hour: time.hour, minute: time.minute),
          matchingPolicy: .nextTime, repeatedTimePolicy: .first)
      else { return nil }
      let local = Int(next.timeIntervalSince1970) + calendar.timeZone.secondsFromGMT(for: next)
      let day = CivilDay(number: local / 86_400)
      if day.number > decided, days.has(weekday: day.weekday) {
        return (day.number, Moment(microseconds: Int64(next.timeIntervalSince1970) * 1_000_000))
      }
      date = next
    }
    return nil
  }

  private enum Incident: CaseIterable { case kill, clock, absence, reboot, command, none, otherZone }

  /// Lives with kills, reboots, weeks without a login, set clocks, changes of the zone and busy sequences.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `over two years, the starts are those of a calendar, each once`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let zones = try ["Europe/Berlin", "America/New_York"].map { try #require(TimeZone(identifier: $0)) }
    zone = zones[0]
    restart()
    let (time, days): (String, ScheduleDays) = seed.isMultiple(of: 2) ? ("7:00", .weekdays) : ("2:30", .daily)
    let schedule = try add(at: #require(TimeOfDay(time)), on: days)
    let end = clock.now().wall.advanced(by: .seconds(730 * 86_400))
    var decided = Int.min
    var outcomes: [Schedule.Outcome: Int] = [:]
    while clock.now().wall < end {
      try turn()
      let next = try #require(expected(schedule.time, on: days, after: clock.now().wall, beyond: decided))
      let waiting = try #require(try schedules.first)
      #expect(waiting.due.wall == next.moment && waiting.day == next.day, "\(waiting.due) \(next)")
      let wasActive = try store.peek().run != nil
      switch Incident.allCases.randomElement(using: &random) ?? .none {
      case .kill: restart()
      case .clock:
        clock.setWall(by: .seconds(Int.random(in: -3...3, using: &random) * 3600 + 60))
        continue
      case .otherZone:
        zone = zones.randomElement(using: &random)
        continue
      case .command:
        if wasActive { try store.perform(.stop) }
        continue
      case .absence: clock.advance(by: .seconds(Int.random(in: 100_000..<900_000, using: &random)))
      case .reboot: clock.reboot(after: .seconds(Int.random(in: 100_000..<400_000, using: &random)))
      case .none: break
      }
      if clock.now().boot < waiting.due.boot, clock.now().bootID == waiting.due.bootID {
        reach(waiting, late: .seconds(Int.random(in: 0...30, using: &random)))
      }
      let now = clock.now()
      let isLate = now.bootID != waiting.due.bootID || now.boot - waiting.due.boot > .seconds(30)
      guard next.moment <= now.wall else { continue }
      var last = next
      while isLate,
        let later = expected(schedule.time, on: days, after: last.moment, beyond: last.day),
        later.moment <= now.wall
      {
        last = later
      }
      let told = try notifications.count
      try turn()
      let outcome: Schedule.Outcome = wasActive ? .passed : isLate ? .missed : .started
      #expect(try schedules.first?.last == Schedule.Decision(day: last.day, outcome))
      #expect(try (store.peek().run != nil) == (outcome != .missed))
      if outcome == .started { #expect(try store.peek().run?.startedAt == next.moment) }
      let isNews =
        outcome == .started || outcome == .missed && now.wall.duration(since: last.moment) < .seconds(86_400)
      #expect(try notifications.count == (isNews ? 1 : told))
      decided = last.day
      outcomes[outcome, default: 0] += 1
      restart()
      try turn()
      #expect(try schedules.first?.last?.day == last.day)
    }
    #expect(outcomes.values.allSatisfy { $0 > 3 } && outcomes.count == 3, "\(outcomes)")
  }

  @Test(arguments: ["wall", "boot", "lead", "day", "last_day", "hour", "days"], [Int64.min, -1, 0, .max])
  func `no number in a row stops the agent`(column: String, value: Int64) throws {
    _ = try add(lead: .seconds(60))
    try turn()
    try store.database.execute("UPDATE schedule SET outcome = 'started', \(column) = \(value)")
    restart()
    do { try turn() } catch is StoreError {}
  }
}
