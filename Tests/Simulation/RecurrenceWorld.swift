import Foundation
import NotifierDelivery
import NotifierLedger
import Notifier
import SequencePlatform
import SequenceStore
import Synchronization
import TestSupport

/// A machine with one program whose notifications repeat, and an oracle of the notifications that must be shown.
///
/// Time passes, clocks and time zones are set, requests are added again, programs and servers end, and the machine is
/// off.
package struct RecurrenceWorld {
  private let directory: ScratchDirectory
  private let clock = ManualClock()
  private let store: OpenStore
  private let lostZone = LostZone()
  private var courier: Courier
  private var isServerAway = false
  /// The requests as they were added last.
  private var requests: [String: NotificationRequest] = [:]
  /// The calendar times that were shown.
  private var shownTimes: [String: Set<Moment>] = [:]
  /// The last occurrences that are planned again, because the clock was set back by hours.
  private var returning: [String: Moment] = [:]
  private var random: SplitMix64
  private var problems: [String] = []
  private var shownCount = 0

  private static let latestDelivery = Duration.seconds(600)
  private static let server = NotificationServer(
    epoch: ServerEpoch(busID: "bus", owner: ":1.1"), name: "test", version: "1", capabilities: [])
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC",
  ]

  /// A time zone that the machine does not know for a while.
  private final class LostZone: Sendable {
    private let name = Mutex<String?>(nil)

    var find: @Sendable (String) -> TimeZone? {
      { name in self.name.withLock { $0 == name } ? nil : TimeZone(identifier: name) }
    }

    func set(_ name: String?) { self.name.withLock { $0 = name } }
  }

  /// One of so many seeds has a scenario, because it takes as long as many scenarios of runs: the calendar is slow.
  package static let share: UInt64 = 16

  /// Returns a description of the first difference; `nil` if there is none.
  package static func difference(seed: UInt64, events: Int = 20) throws -> String? {
    var world = try RecurrenceWorld(seed: seed)
    for number in 1...events {
      let event = try world.step()
      try world.check()
      if !world.problems.isEmpty {
        return "event \(number), \(event):\n\(world.problems.joined(separator: "\n"))"
      }
    }
    return world.shownCount > 0 ? nil : "nothing is shown"
  }

  private init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    directory = try ScratchDirectory()
    clock.timeZone = "Europe/Berlin"
    // Near the changes of daylight saving of all zones, one year or the other.
    clock.advance(by: .seconds(Int64.random(in: 0...40_000_000, using: &random)))
    store = try OpenStore(
      in: StateDirectory(path: directory.path), clock: clock, parts: [NotificationTables()])
    courier = RecurrenceWorld.courier(store, LocalCalendar(of: clock, namedZone: lostZone.find))
    for number in 0..<6 {
      let name = "a.\(number)"
      // The first one repeats several times within the time in which it may be shown late. Two share a place on screen.
      let trigger = number == 0 ? .every(seconds(300...900)) : trigger()
      var request = NotificationRequest(
        NotificationIdentifier("a", "\(number)"), name, trigger: trigger)
      request.tag = number < 2 ? "shared" : nil
      try add(request)
    }
    try courier.takeOver(at: turn)
    _ = try carryOut()
  }

  private var calendar: LocalCalendar { LocalCalendar(of: clock, namedZone: lostZone.find) }

  private static func courier(_ store: OpenStore, _ calendar: LocalCalendar) -> Courier {
    Courier(
      store: store, responder: ScheduledNotifications(clock: store.clock), calendar: calendar,
      latestDelivery: latestDelivery, process: 1)
  }

  private var turn: Turn { Turn(reading: clock.now(), presenter: ScheduledNotifications(clock: clock)) }

  private mutating func seconds(_ range: ClosedRange<Int64>) -> Duration {
    .seconds(Int64.random(in: range, using: &random))
  }

  private mutating func trigger() -> NotificationTrigger {
    let zone =
      Bool.random(using: &random)
      ? nil : RecurrenceWorld.zones.randomElement(using: &random).flatMap(TimeZone.init(identifier:))
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    return switch number(0...5) {
    case 0: .every(.seconds(number(3600...200_000)))
    case 1: .matching(DateComponents(minute: number(0...59)), in: zone)
    case 2: .matching(DateComponents(hour: number(0...23), weekday: number(1...7)), in: zone)
    case 3: .matching(DateComponents(day: number(1...31), hour: number(0...3)), in: zone)
    default: .daily(number(0...4), number(0...59), in: zone)
    }
  }

  /// Adds a request as a program does; returns its first time if nothing of it is pending.
  @discardableResult
  private mutating func add(_ request: NotificationRequest) throws -> ClockReading {
    let due = try FirstTimes(at: clock.now(), calendar).due(request)
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.schedule([ScheduledRequest(request, due: due)], at: clock.now())
    }
    requests[request.summary] = request
    return due
  }

  private mutating func revised(_ request: NotificationRequest) -> NotificationRequest {
    var revised = request
    // The same number twice would be no change.
    while revised.body == request.body {
      revised.body = "text \(Int.random(in: 0...1_000_000, using: &random))"
    }
    return revised
  }

  // MARK: - Events

  /// Lets something happen; returns a description.
  private mutating func step() throws -> String {
    switch Int.random(in: 0...15, using: &random) {
    case 0: return try setClock(by: seconds(-20_000...20_000))
    case 1: return try setClock(by: seconds(-2_000_000...2_000_000))
    case 2: return try setClockBackAndForward()
    case 3:
      let new =
        RecurrenceWorld.zones.randomElement(using: &random).flatMap(TimeZone.init(identifier:)) ?? .gmt
      clock.timeZone = new.identifier
      try followClock()
      return "move to \(new.identifier)"
    case 4, 5:
      let time = seconds(1...5_000_000)
      let mayReboot = Bool.random(using: &random)
      let before = clock.now()
      if mayReboot { clock.reboot(after: time) } else { clock.advance(by: time) }
      try start(after: before)
      return "\(time) without the program"
    case 6, 7: return try passWithoutServer()
    case 8, 9: return try addAgainWhilePrepared()
    case 10: return try loseZone()
    case 11: return try setClockBackTwice()
    default:
      let time = seconds(1...20_000)
      try run(for: time)
      return "run for \(time)"
    }
  }

  private mutating func setClock(by change: Duration) throws -> String {
    clock.setWall(by: change)
    try followClock(after: change)
    return "set the clock by \(change)"
  }

  private mutating func setClockBackAndForward() throws -> String {
    // Shortly after a notification was shown, so that a repetition would not be too late.
    try runToNextTime(seconds(1...500))
    let change = seconds(1...200_000)
    let time = Bool.random(using: &random) ? .zero : seconds(1...5000)
    clock.setWall(by: .zero - change)
    try followClock(after: .zero - change)
    try run(for: time)
    clock.setWall(by: change)
    try followClock()
    return "set the clock back by \(change), and forward after \(time)"
  }

  /// Sets the clock back by hours, and once more before the last occurrence comes again.
  private mutating func setClockBackTwice() throws -> String {
    try runToNextTime(seconds(1...9000))
    let changes = [seconds(-60_000 ... -10_800), seconds(-1000 ... -1)]
    for change in changes {
      clock.setWall(by: change)
      try followClock(after: change)
      try check()
      try runToNextTime(.zero - seconds(1...10_000))
    }
    return "set the clock back twice: \(changes)"
  }

  /// Lets time pass until a while before or after the next time of the calendar, if it is near.
  private mutating func runToNextTime(_ offset: Duration) throws {
    let times = try pending().filter(\.request.trigger.followsWallClock).map {
      $0.due.boot - clock.now().boot
    }
    guard let next = times.min(), next < .seconds(50_000) else { return }
    try run(for: max(.zero, next + offset))
  }

  /// Has the program follow a clock or a time zone that was set.
  private mutating func followClock(after change: Duration = .zero) throws {
    let before = shownTimes
    try courier.clockWasSet(at: clock.now())
    for shown in try carryOut() where before[shown.name]?.contains(shown.due) == true {
      problems.append("\(shown.name) of \(shown.due) is shown again")
    }
    for entry in try pending() {
      guard let previous = entry.previous, previous > clock.now().wall else { continue }
      let ahead = previous.duration(since: clock.now().wall)
      if max(ahead, .zero - change) >= .seconds(10_800) { returning[entry.request.summary] = previous }
    }
  }

  private mutating func run(for time: Duration) throws {
    let end = clock.now().boot + time
    var expected = try occurrences(until: clock.now().advanced(by: time))
    while let wake = try courier.nextWake(), wake <= end {
      clock.advance(by: max(.zero, wake - clock.now().boot))
      for name in try carryOut().map(\.name) {
        let place = requests[name]?.place ?? name
        let slot = expected[place]?.first
        // Notifications are prepared 50 ms before their time, unless they follow the wall clock.
        let early = (slot?.due ?? .zero) - clock.now().boot
        if slot?.names.contains(name) != true || early < .zero || early > .milliseconds(50) {
          problems.append(
            "\(name) is shown at \(clock.now().boot), not at \(slot.map { "\($0)" } ?? "any time")")
        }
        if slot != nil { expected[place]?.removeFirst() }
      }
    }
    clock.advance(by: end - clock.now().boot)
    for (place, slots) in expected {
      // A notification that is prepared for a time just after the end is shown then.
      if let first = slots.first { problems.append("\(place) is not shown at \(first)") }
    }
  }

  /// The times on the boot clock of each place on screen until a reading; of several at one time, one is shown.
  private func occurrences(
    until end: ClockReading
  ) throws -> [String: [(due: Duration, names: Set<String>)]] {
    var all: [String: [Duration: Set<String>]] = [:]
    for entry in try pending() {
      var due: ClockReading? = entry.due
      while let time = due, time.boot <= end.boot {
        all[entry.request.place, default: [:]][time.boot, default: []].insert(entry.request.summary)
        due = next(of: entry.request.trigger, after: time)
      }
    }
    return all.mapValues { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  private func next(of trigger: NotificationTrigger, after due: ClockReading) -> ClockReading? {
    switch trigger.rule {
    case .every(let time): due.advanced(by: time)
    case .matching(let pattern):
      calendar.date(matching: pattern, after: due.wall.date).map { due.at(Moment($0)) }
    default: nil
    }
  }

  /// Starts another program, after a time without one.
  private mutating func start(after before: ClockReading) throws {
    let passed = try pending().map { ($0.request.summary, lastPassed($0.request, $0.due, since: before)) }
    let known = Set(try store.ledger.entries(in: .everything).map(\.number))
    courier = RecurrenceWorld.courier(store, calendar)
    try courier.takeOver(at: turn)
    try checkLate(carryOut(), after: passed)
    let missed = try store.ledger.entries(in: .everything).filter {
      $0.state == .missed && !known.contains($0.number)
    }
    if !missed.isEmpty { problems.append("a backlog: \(missed)") }
  }

  /// Checks what is shown at the end of an absence: in each place the notification that was due last, if it is not too
  /// late.
  private mutating func checkLate(_ shown: [Shown], after passed: [(name: String, time: Duration?)]) {
    var left = shown.map(\.name)
    for (place, names) in Dictionary(grouping: passed, by: { requests[$0.name]?.place ?? $0.name }) {
      let last = names.compactMap(\.time).min()
      let mayShow = names.filter { $0.time == last }.map(\.name)
      let found = left.filter { name in names.contains { $0.name == name } }
      left.removeAll(where: found.contains)
      let isInTime = last.map { $0 <= RecurrenceWorld.latestDelivery } ?? false
      if found.count != (isInTime ? 1 : 0) || found.first.map(mayShow.contains) == false {
        problems.append("\(found) are shown in \(place), not one of \(passed)")
      }
    }
    if !left.isEmpty { problems.append("\(left) are shown") }
  }

  /// How long ago a request occurred last, if it did since an earlier reading; exact within the boot.
  ///
  /// - Parameter due: its next time at the earlier reading.
  private func lastPassed(
    _ request: NotificationRequest, _ due: ClockReading, since before: ClockReading
  ) -> Duration? {
    let now = clock.now()
    let left = before.bootID == now.bootID ? due.boot - now.boot : due.wall.duration(since: now.wall)
    guard left <= .zero else { return nil }
    switch request.trigger.rule {
    case .every(let time):
      return .nanoseconds((Duration.zero - left).nanoseconds % time.nanoseconds)
    case .matching(let pattern):
      // Walks from a time before the last occurrence that may still be shown.
      var last = due.wall.date
      var place = max(last, now.wall.date.addingTimeInterval(-700))
      while let next = calendar.date(matching: pattern, after: place), next <= now.wall.date {
        (last, place) = (next, next)
      }
      return now.wall.duration(since: Moment(last))
    default: return nil
    }
  }

  /// Lets time pass without a server, from shortly before a notification is due.
  private mutating func passWithoutServer() throws -> String {
    guard let first = try pending().min(by: { $0.due.boot < $1.due.boot }) else { return "nothing" }
    try run(for: max(.zero, first.due.boot - clock.now().boot - seconds(1...30)))
    var dues = Dictionary(uniqueKeysWithValues: try pending().map { ($0.request.summary, $0.due) })
    let before = clock.now()
    isServerAway = true
    let isReported = Bool.random(using: &random)
    if isReported { try courier.receive(.serverGone, at: turn) }
    let end = before.boot + seconds(30...900)
    // The request of the one that is due first, or of any other one, is added again.
    let again =
      Bool.random(using: &random) ? before.boot + seconds(1...200) : .seconds(Int64.max / 2_000_000_000)
    var added = "nothing"
    while let wake = [try courier.nextWake(), added == "nothing" ? again : nil].compactMap({ $0 }).min(),
      wake <= end
    {
      clock.advance(by: max(.zero, wake - clock.now().boot))
      if clock.now().boot >= again, added == "nothing" {
        added =
          Bool.random(using: &random)
          ? first.request.summary : requests.keys.sorted().randomElement(using: &random) ?? "a.0"
        guard var request = requests[added].map({ revised($0) }) else { break }
        let isUnchanged = Bool.random(using: &random)
        if !isUnchanged { request.trigger = .every(seconds(3600...10_000)) }
        let due = try add(request)
        if !isUnchanged { dues[added] = due }
      }
      for shown in try carryOut() { problems.append("\(shown.name) is shown without a server") }
    }
    clock.advance(by: end - clock.now().boot)
    isServerAway = false
    try courier.receive(.serverChanged, at: turn)
    let passed = dues.map { name, due in (name, requests[name].flatMap { lastPassed($0, due, since: before) })
    }
    try checkLate(carryOut(), after: passed)
    return "\(end - before.boot) without a server, reported: \(isReported), \(added) is added again"
  }

  /// Adds a request again between the order to show it and its time.
  private mutating func addAgainWhilePrepared() throws -> String {
    let ordered = try pending().sorted { $0.due.boot < $1.due.boot }
    guard let entry = ordered.first(where: { !$0.request.trigger.followsWallClock }),
      entry.due.boot - clock.now().boot > .seconds(1)
    else { return "nothing" }
    try run(for: entry.due.boot - clock.now().boot - .milliseconds(60))
    guard
      try pending().allSatisfy({
        $0 == entry || abs(($0.due.boot - entry.due.boot).nanoseconds) > 1_000_000_000
      })
    else { return "nothing" }
    clock.advance(by: .milliseconds(30))
    guard case .show(let number, let content, let notification) = try courier.advance(at: turn),
      content.due == entry.due.boot
    else {
      problems.append("\(entry.request.summary) is not prepared")
      return "prepare"
    }
    let name = entry.request.summary
    let isSameText = Bool.random(using: &random)
    let keepsTrigger = Bool.random(using: &random)
    var request = isSameText ? entry.request : revised(entry.request)
    if !keepsTrigger { request.trigger = .every(seconds(3600...10_000)) }
    let isSameTrigger = request.trigger == entry.request.trigger
    try add(request)
    var shown: [String] = []
    switch try courier.advance(at: turn) {
    case .callOff(let entry):
      try courier.receive(.notShown(entry: entry, .calledOff), at: turn)
      shown += try carryOut().map(\.name)
      clock.advance(by: .milliseconds(30))
    case nil:
      clock.advance(by: .milliseconds(30))
      try courier.receive(.shown(entry: number, notification), at: turn)
      shown.append(name)
      if !isSameText || !isSameTrigger {
        problems.append("\(name) is shown with its earlier text or trigger")
      }
    case let other: problems.append("\(String(describing: other)) instead of an answer")
    }
    shown += try carryOut().map(\.name)
    if shown != (isSameTrigger ? [name] : []) { problems.append("shown at the time of \(name): \(shown)") }
    return "add \(name) again while it is prepared, same text: \(isSameText), same trigger: \(isSameTrigger)"
  }

  /// Runs while the machine does not know a time zone, and adds the requests again that have ended for this reason.
  private mutating func loseZone() throws -> String {
    let zones = requests.keys.sorted().compactMap { requests[$0]?.trigger.zone }
    guard let lost = zones.randomElement(using: &random) else { return "nothing" }
    lostZone.set(lost)
    let time = seconds(1...50_000)
    let end = clock.now().boot + time
    let ending = try pending().filter { $0.request.trigger.zone == lost && $0.due.boot <= end }
    try run(for: time)
    lostZone.set(nil)
    for entry in ending {
      let ended = try store.ledger.entries(in: NotificationScope(entry.request.identifier)).filter {
        $0.state == .cancelled && $0.reason == .unknownTimeZone(lost)
      }
      if ended.map(\.request) != [entry.request] {
        problems.append("\(entry.request.summary) has ended without the reason")
      }
      try add(entry.request)
    }
    return "run for \(time) without the time zone \(lost)"
  }

  // MARK: - Observation

  private func pending() throws -> [LedgerEntry] {
    try store.ledger.entries(in: .everything).filter { $0.state == .pending }
  }

  /// Checks that each notification has one pending entry, for the right time.
  private mutating func check() throws {
    let now = clock.now()
    let pending = try pending()
    if pending.map(\.request.summary).sorted() != requests.keys.sorted() {
      problems.append("pending: \(pending.map(\.request.summary))")
    }
    for entry in pending {
      let (trigger, name) = (entry.request.trigger, entry.request.summary)
      if entry.request != requests[name] { problems.append("\(name) is not as it was added") }
      if entry.due.boot <= now.boot { problems.append("\(name) is due and pending") }
      switch trigger.rule {
      case .every(let time):
        if entry.due.boot > now.boot + time { problems.append("\(name) skips a time") }
      case .matching:
        var start = now.wall
        if let previous = entry.previous, previous <= start { returning[name] = nil }
        if let previous = entry.previous, previous > start, returning[name] != previous { start = previous }
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

  /// A notification that was shown for the first time, and its due time by the wall clock.
  private typealias Shown = (name: String, due: Moment)

  /// Answers orders like a server; returns what was shown.
  private mutating func carryOut() throws -> [Shown] {
    var all: [Shown] = []
    while let order = try courier.advance(at: turn) {
      switch order {
      case .probe where isServerAway: try courier.receive(.serverUnavailable(.noServer), at: turn)
      case .probe, .startServer: try courier.receive(.serverAvailable(RecurrenceWorld.server), at: turn)
      case .show(let entry, _, _) where isServerAway:
        try courier.receive(.notShown(entry: entry, .noServer), at: turn)
      case .show(let number, let content, let notification):
        guard let entry = try store.ledger.entry(number) else {
          problems.append("an order without an entry")
          break
        }
        if !content.isSilent {
          all.append((content.summary, entry.due.wall))
          if content.body != requests[content.summary]?.body {
            problems.append("\(content.summary) is shown with another text")
          }
        }
        try courier.receive(.shown(entry: number, notification), at: turn)
      case .close(let entry, _):
        try courier.receive(.closed(entry: entry), at: turn)
      case .callOff(let entry): try courier.receive(.notShown(entry: entry, .calledOff), at: turn)
      case .status: problems.append("a courier looks")
      }
    }
    for shown in all where requests[shown.name]?.trigger.followsWallClock == true {
      shownTimes[shown.name, default: []].insert(shown.due)
    }
    shownCount += all.count
    return all
  }
}

extension NotificationTrigger {
  fileprivate var zone: String? {
    if case .matching(let pattern) = rule { pattern.zone } else { nil }
  }
}
