import Foundation
import NotificationDelivery
import NotificationLedger
import Platform
import Store
import TestSupport
import Testing

@testable import Notifier

/// Repeating notifications in random scenarios: time passes, clocks and time zones are set, programs end, and machines
/// are off.
@Suite(.timeLimit(.minutes(5)))
struct RecurrenceSimulationTests {
  @Test(arguments: [2, 5, 8, 11, 14, 31])
  func `each occurrence is shown once on time, and an absence ends with one at most`(seed: UInt64) throws {
    var world = try RecurrenceWorld(seed: seed)
    for number in 1...15 {
      let event = try world.step()
      try world.check()
      #expect(world.problems.isEmpty, "event \(number), \(event): \(world.problems)")
      guard world.problems.isEmpty else { return }
    }
    #expect(world.shownCount > 0)
  }
}

/// A machine with one program whose notifications repeat.
private struct RecurrenceWorld {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: OpenStore
  private let zone: SystemZone
  private var courier: Courier
  private var triggers: [String: NotificationTrigger] = [:]
  private var random: SplitMix64
  private(set) var problems: [String] = []
  private(set) var shownCount = 0

  private static let latestDelivery = Duration.seconds(600)
  private static let epoch = ServerEpoch(busID: "bus", owner: ":1.1")
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC",
  ]

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    directory = try TemporaryDirectory()
    zone = SystemZone()
    // Near the changes of daylight saving of all zones, one year or the other.
    clock.advance(by: .seconds(Int64.random(in: 0...40_000_000, using: &random)))
    store = try OpenStore(
      directory: StateDirectory(path: directory.path), clock: clock, parts: [NotificationTables()])
    courier = RecurrenceWorld.courier(store, zone)
    for number in 0..<6 {
      let id = "a.\(number)"
      let trigger = RecurrenceWorld.trigger(&random)
      triggers[id] = trigger
      let request = NotificationRequest(
        try #require(NotificationIdentifier(rawValue: id)), id, trigger: trigger)
      let due = try FirstTimes(at: clock.now(), LocalCalendar(systemZone: zone.get)).due(request)
      try store.changeLedger { try $0.add([ScheduledRequest(request, due: due)], at: clock.now()) }
    }
    try courier.takeOver()
    _ = try carryOut()
  }

  private static func courier(_ store: OpenStore, _ zone: SystemZone) -> Courier {
    Courier(
      store: store,
      application: ScheduledNotifications(
        latestDelivery: latestDelivery, willPresent: { _ in .show },
        responses: ResponseReaders(),
        calendar: LocalCalendar(systemZone: zone.get)),
      process: 1)
  }

  private static func trigger(_ random: inout SplitMix64) -> NotificationTrigger {
    let zone =
      Bool.random(using: &random)
      ? nil : zones.randomElement(using: &random).flatMap(TimeZone.init(identifier:))
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    return switch number(0...5) {
    case 0: .every(.seconds(number(3600...200_000)))
    case 1: .matching(DateComponents(minute: number(0...59)), in: zone)
    case 2: .matching(DateComponents(hour: number(0...23), weekday: number(1...7)), in: zone)
    case 3: .matching(DateComponents(day: number(1...31), hour: number(0...3)), in: zone)
    default: .daily(number(0...4), number(0...59), in: zone)
    }
  }

  /// Lets something happen; returns a description.
  mutating func step() throws -> String {
    func seconds(_ range: ClosedRange<Int64>) -> Duration {
      .seconds(Int64.random(in: range, using: &random))
    }
    switch Int.random(in: 0...9, using: &random) {
    case 0:
      let change = seconds(-20_000...20_000)
      clock.setWall(by: change)
      try settleClock()
      return "set the clock by \(change)"
    case 1:
      let change = seconds(-2_000_000...2_000_000)
      clock.setWall(by: change)
      try settleClock()
      return "set the clock by \(change)"
    case 2:
      let name = RecurrenceWorld.zones.randomElement(using: &random) ?? "UTC"
      try zone.set(name)
      try settleClock()
      return "move to \(name)"
    case 3, 4:
      let time = seconds(1...5_000_000)
      let mayReboot = Bool.random(using: &random)
      let before = clock.now()
      if mayReboot { clock.reboot(after: time) } else { clock.advance(by: time) }
      try start(after: before)
      return "\(time) without the program"
    default:
      let time = seconds(1...100_000)
      try run(for: time)
      return "run for \(time)"
    }
  }

  /// Lets time pass while the program runs.
  private mutating func run(for time: Duration) throws {
    var expected = try occurrences(until: clock.now().advanced(by: time))
    let end = clock.now().boot + time
    while let wake = try courier.nextWake(), wake <= end {
      clock.advance(by: max(.zero, wake - clock.now().boot))
      for name in try carryOut() {
        let due = expected[name]?.first
        // Notifications are prepared 50 ms before their time, unless they follow the wall clock.
        let early = (due?.boot ?? .zero) - clock.now().boot
        if due == nil || early < .zero || early > .milliseconds(50) {
          problems.append(
            "\(name) is shown at \(clock.now().wall), not at \(due?.wall.description ?? "any time")")
        }
        expected[name]?.removeFirst()
      }
    }
    clock.advance(by: end - clock.now().boot)
    for (name, times) in expected {
      // The one that is prepared for a time just after the end is shown then.
      if let first = times.first { problems.append("\(name) is not shown at \(first.wall)") }
    }
  }

  /// All times of each trigger until a reading.
  private func occurrences(until end: ClockReading) throws -> [String: [ClockReading]] {
    var all: [String: [ClockReading]] = [:]
    for entry in try pending() {
      let name = entry.request.summary
      var due = entry.due
      while due.boot <= end.boot {
        all[name, default: []].append(due)
        guard let next = next(of: entry.request.trigger, after: due) else { break }
        due = next
      }
    }
    return all
  }

  private func next(of trigger: NotificationTrigger, after due: ClockReading) -> ClockReading? {
    switch trigger.rule {
    case .every(let time): due.advanced(by: time)
    case .matching(let pattern):
      LocalCalendar(systemZone: zone.get).date(matching: pattern, after: due.wall.date).map {
        due.at(Moment($0))
      }
    default: nil
    }
  }

  /// Starts another program, after a time without one.
  private mutating func start(after before: ClockReading) throws {
    let last = try pending().map { ($0.request.summary, try lastPassed($0, since: before)) }
    let known = Set(try store.ledger.entries(in: .everything).map(\.number))
    courier = RecurrenceWorld.courier(store, zone)
    try courier.takeOver()
    let shown = try carryOut()
    for (name, passed) in last {
      let count = shown.count { $0 == name }
      let isInTime = passed.map { $0 <= RecurrenceWorld.latestDelivery } ?? false
      if count != (isInTime ? 1 : 0) {
        problems.append(
          "\(name) is shown \(count) times, \(passed.map(String.init(describing:)) ?? "no time") after the last"
        )
      }
    }
    let missed = try store.ledger.entries(in: .everything).filter {
      $0.state == .missed && !known.contains($0.number)
    }
    if !missed.isEmpty { problems.append("a backlog of \(missed.count)") }
  }

  /// How long ago an entry occurred last, if it did since the program ended; exact within the boot.
  private func lastPassed(_ entry: LedgerEntry, since before: ClockReading) throws -> Duration? {
    let now = clock.now()
    let left =
      before.bootID == now.bootID ? entry.due.boot - now.boot : entry.due.wall.duration(since: now.wall)
    guard left <= .zero else { return nil }
    switch entry.request.trigger.rule {
    case .every(let time):
      return .nanoseconds((Duration.zero - left).nanoseconds % time.nanoseconds)
    case .matching(let pattern):
      let calendar = LocalCalendar(systemZone: zone.get)
      // From a time at which it was not due yet, and near enough.
      var last = entry.due.wall.date
      var place = max(last, now.wall.date.addingTimeInterval(-700))
      while let next = calendar.date(matching: pattern, after: place), next <= now.wall.date {
        (last, place) = (next, next)
      }
      return now.wall.duration(since: Moment(last))
    default: return nil
    }
  }

  /// Has the program follow a clock or a time zone that was set.
  private mutating func settleClock() throws {
    try courier.clockWasSet()
    let shown = try carryOut()
    if Set(shown).count != shown.count { problems.append("shown twice: \(shown)") }
  }

  private func pending() throws -> [LedgerEntry] {
    try store.ledger.entries(in: .everything).filter { $0.state == .pending }
  }

  /// Checks that each notification has one pending entry, for the right time.
  mutating func check() throws {
    let now = clock.now()
    let pending = try pending()
    if pending.map(\.request.summary).sorted() != triggers.keys.sorted() {
      problems.append("pending: \(pending.map(\.request.summary))")
    }
    for entry in pending {
      let (trigger, name) = (entry.request.trigger, entry.request.summary)
      if trigger != triggers[name] { problems.append("\(name) has another trigger") }
      if entry.due.boot <= now.boot { problems.append("\(name) is due and pending") }
      switch trigger.rule {
      case .every(let time):
        if entry.due.boot > now.boot + time { problems.append("\(name) skips a time") }
      case .matching:
        var start = now.wall
        if let previous = entry.previous, previous > start, previous.duration(since: start) < .seconds(10_800)
        {
          start = previous
        }
        let expected = next(of: trigger, after: now.at(start))
        if entry.due.wall != expected?.wall {
          problems.append(
            "\(name), \(trigger), is planned for \(entry.due.wall), not \(String(describing: expected?.wall))"
          )
        }
      default: problems.append("\(name) does not repeat")
      }
    }
  }

  /// Answers orders like a server; returns what was shown for the first time.
  private mutating func carryOut() throws -> [String] {
    var shown: [String] = []
    while let order = try courier.advance(at: clock.now()) {
      switch order {
      case .probe:
        let server = NotificationServer(
          epoch: RecurrenceWorld.epoch, name: "test", version: "1", capabilities: [])
        try courier.handle(.serverAvailable(server))
      case .show(let entry, let content, let notification):
        if !content.isSilent { shown.append(content.summary) }
        try courier.handle(.shown(entry: entry, notification))
      case .close(let entry, _), .closeOnOtherBus(let entry, _, _): try courier.handle(.closed(entry: entry))
      case .callOff(let entry): try courier.handle(.notShown(entry: entry, .calledOff))
      case .status: problems.append("a courier looks")
      }
    }
    shownCount += shown.count
    return shown
  }
}
