import Foundation
@testable import NotifierDelivery
import NotifierLedger
import SequencePlatform
import Simulation
import SequenceStore
import TestSupport
import Testing

@testable import Notifier

/// Repeating notifications, with a manual clock and without a desktop.
struct RecurrenceTests {
  /// 2026-09-21 in UTC, when the manual clock starts: 14:13:20.
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: OpenStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try OpenStore(
      in: StateDirectory(path: directory.path), clock: clock, parts: [NotificationTables()])
    clock.timeZone = "Europe/Berlin"
  }

  private var calendar: LocalCalendar { LocalCalendar(of: clock) }

  private func courier(latestDelivery: Duration = .seconds(600)) -> TestCourier {
    let notifications = ScheduledNotifications(clock: clock)
    let courier = Courier(
      store: store, responder: notifications, calendar: calendar, latestDelivery: latestDelivery, process: 1)
    return TestCourier(courier, beginTurn: notifications.beginTurn)
  }

  private func add(_ name: String, _ trigger: NotificationTrigger) throws {
    let request = NotificationRequest(
      NotificationIdentifier(name), name, trigger: trigger)
    let due = try FirstTimes(at: clock.now(), calendar).due(request)
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.add([ScheduledRequest(request, due: due)], at: clock.now())
    }
  }

  /// Answers orders like a server until there are no more; returns the texts that were shown.
  @discardableResult
  private func carryOut(_ courier: TestCourier) throws -> [String] { try courier.deliver().map(\.summary) }

  private func entries(_ state: LedgerEntry.State? = nil) throws -> [LedgerEntry] {
    try store.ledger.entries(in: .everything).filter { state == nil || $0.state == state }
  }

  /// The times of the pending notifications, in UTC.
  private func pending() throws -> [String] {
    try entries(.pending).map { $0.dueAt.formatted(.iso8601) }
  }

  /// Moves the clocks to a moment of the wall clock.
  private func advance(to time: String) throws {
    let moment = Moment(try Date(time, strategy: .iso8601))
    clock.advance(by: moment.duration(since: clock.now().wall))
  }

  @Test func `a daily notification is shown each day, with one pending entry and no wake-up in between`()
    throws
  {
    try add("pills", .daily(8, 0))
    let courier = courier()
    try courier.takeOver()
    #expect(try carryOut(courier) == [])
    for day in 22...26 {
      #expect(try pending() == ["2026-09-\(day)T06:00:00Z"])
      let due = try #require(try entries(.pending).first).due.boot
      #expect(try courier.nextWake() == due)
      try advance(to: "2026-09-\(day)T06:00:00Z")
      #expect(try carryOut(courier) == ["pills"])
      #expect(try carryOut(courier) == [])
      #expect(try entries(.delivered).count == 1)
    }
  }

  @Test func `an interval chains from each due time, and not from when it was shown`() throws {
    try add("stretch", .every(.seconds(3600)))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    let first = clock.now().boot + .seconds(3600)
    for number in 0..<5 {
      clock.advance(by: .seconds(3605) - (number == 0 ? .zero : .seconds(5)))
      #expect(try carryOut(courier) == ["stretch"])
      #expect(try entries(.pending).map(\.due.boot) == [first + .seconds(3600) * (number + 1)])
      clock.setWall(by: .seconds(-7200))
      try courier.clockWasSet()
      #expect(try entries(.pending).map(\.due.boot) == [first + .seconds(3600) * (number + 1)])
    }
  }

  @Test func `an interval survives a clock that is set back before the machine is off`() throws {
    try add("stretch", .every(.seconds(3600)))
    try add("tea", .after(.seconds(1800)))
    let courier = courier()
    try courier.takeOver()
    clock.setWall(by: .seconds(-86_400))
    try courier.clockWasSet()
    clock.reboot(after: .seconds(60))
    try self.courier().takeOver()
    let left = try entries(.pending).map { $0.due.boot - clock.now().boot }
    #expect(left == [.seconds(1740), .seconds(3540)])
    // Now it is set while the machine is off.
    clock.setWall(by: .seconds(-86_400))
    clock.reboot(after: .seconds(60))
    try self.courier().takeOver()
    let interval = try entries(.pending).first { $0.request.summary == "stretch" }
    #expect(interval?.due.boot == clock.now().boot + .seconds(3600))
  }

  @Test func `a notification that stays on screen does not take the place of a late one`() throws {
    try add("pills", .daily(8))
    var courier = courier()
    try courier.takeOver()
    try advance(to: "2026-09-22T06:00:00Z")
    #expect(try carryOut(courier) == ["pills"])
    try advance(to: "2026-09-29T06:05:00Z")
    courier = self.courier()
    try courier.takeOver()
    #expect(try carryOut(courier) == ["pills"])
    #expect(try entries(.delivered).map { $0.dueAt.formatted(.iso8601) } == ["2026-09-29T06:00:00Z"])
    #expect(try entries(.delivered).allSatisfy { $0.repetition == nil })
  }

  @Test(arguments: [
    (NotificationTrigger.daily(8), "2027-09-21T06:05:00Z", ["a"], "2027-09-22T06:00:00Z"),
    (.daily(8), "2027-09-21T12:00:00Z", [], "2027-09-22T06:00:00Z"),
    (.matching(DateComponents(second: 0)), "2027-09-21T12:00:30Z", ["a"], "2027-09-21T12:01:00Z"),
    (.matching(DateComponents(month: 2, day: 29)), "2028-03-05T12:00:00Z", [], "2032-02-28T23:00:00Z"),
    (.every(.seconds(7)), "2027-09-21T14:13:24Z", ["a"], "2027-09-21T14:13:28Z"),
  ])
  func `after a year without a program there is one late notification at most, and then the next`(
    trigger: NotificationTrigger, back: String, shown: [String], next: String
  ) throws {
    try add("a", trigger)
    let end = Moment(try Date(back, strategy: .iso8601))
    clock.reboot(after: end.duration(since: clock.now().wall))
    let courier = courier()
    try courier.takeOver()
    #expect(try carryOut(courier) == shown)
    #expect(try pending() == [next])
    #expect(try entries().count == 2)
    let past = try #require(try entries().first { $0.state != .pending })
    #expect(past.state == (shown.isEmpty ? .missed : .delivered))
    #expect(past.due.wall <= end)
    #expect(end.duration(since: past.due.wall) < .seconds(600) || shown.isEmpty)
  }

  @Test func `without a server a missed occurrence is followed by the next`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    func findNoServer() throws {
      while case .probe = try courier.advance() {
        try courier.receive(.serverUnavailable(.noServer))
      }
    }
    try advance(to: "2026-09-22T06:00:00Z")
    try findNoServer()
    #expect(try pending() == ["2026-09-22T06:00:00Z"], "it waits for a server")
    clock.advance(by: .seconds(601))
    try findNoServer()
    #expect(try entries(.missed).count == 1)
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
  }

  @Test func `a changed time zone moves the next time`() throws {
    try add("local", .daily(8))
    try add("fixed", .daily(8, in: TimeZone(identifier: "Europe/Berlin")))
    let courier = courier()
    try courier.takeOver()
    clock.timeZone = "America/New_York"
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T06:00:00Z", "2026-09-22T12:00:00Z"])
    clock.timeZone = "Pacific/Kiritimati"
    try self.courier().takeOver()
    #expect(try pending() == ["2026-09-21T18:00:00Z", "2026-09-22T06:00:00Z"])
  }

  @Test func `a clock that is set back does not repeat today's, unless it is corrected by hours`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try advance(to: "2026-09-22T06:00:00Z")
    #expect(try carryOut(courier) == ["pills"])
    clock.setWall(by: .seconds(-1800))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
    clock.setWall(by: .seconds(-5 * 3600))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T06:00:00Z"])
    // A small correction keeps it.
    clock.advance(by: .seconds(5 * 3600))
    clock.setWall(by: .seconds(-1))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T06:00:00Z"])
  }

  @Test(arguments: [5, 48]) func `a clock that is set back by hours and forward again shows nothing twice`(
    hours: Int64
  ) throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try advance(to: "2026-09-22T06:00:00Z")
    #expect(try carryOut(courier) == ["pills"])
    clock.advance(by: .seconds(9000))
    for change in [-hours, hours] {
      clock.setWall(by: .seconds(change * 3600))
      try courier.clockWasSet()
      #expect(try carryOut(courier) == [])
    }
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
    // It comes again if its time comes again.
    clock.setWall(by: .seconds(-hours * 3600))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-\(hours == 5 ? 22 : 21)T06:00:00Z"])
    clock.advance(by: try #require(try entries(.pending).first).due.boot - clock.now().boot)
    #expect(try carryOut(courier) == ["pills"])
    clock.setWall(by: .seconds((hours - 1) / 24 * 24 * 3600))
    try courier.clockWasSet()
    #expect(try carryOut(courier) == [])
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
  }

  @Test func `an occurrence that comes again is not lost by a journey`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try advance(to: "2026-09-22T06:00:00Z")
    #expect(try carryOut(courier) == ["pills"])
    clock.setWall(by: .seconds(-5 * 3600))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T06:00:00Z"])
    clock.advance(by: .seconds(3 * 3600))
    for (zone, due) in [("America/New_York", "12"), ("Europe/Berlin", "06")] {
      clock.timeZone = zone
      try courier.clockWasSet()
      #expect(try pending() == ["2026-09-22T\(due):00:00Z"])
    }
  }

  @Test func `an occurrence that comes again is not lost by a clock that is set abroad`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try advance(to: "2026-09-22T06:00:00Z")
    #expect(try carryOut(courier) == ["pills"])
    clock.timeZone = "America/New_York"
    try courier.clockWasSet()
    clock.advance(by: .seconds(2 * 3600))
    clock.setWall(by: .seconds(-4 * 3600))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T12:00:00Z"])
    clock.timeZone = "Europe/Berlin"
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T06:00:00Z"])
  }

  @Test func `a clock that was wrong by a week for a while does not silence the week`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    clock.setWall(by: .seconds(7 * 86_400))
    try courier.clockWasSet()
    #expect(try carryOut(courier) == [], "the last one is too late")
    #expect(try pending() == ["2026-09-29T06:00:00Z"])
    clock.setWall(by: .seconds(-7 * 86_400))
    try courier.clockWasSet()
    #expect(try pending() == ["2026-09-22T06:00:00Z"])
  }

  @Test func `a clock that is set past a time shows that one late`() throws {
    try add("pills", .daily(16, 30))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    clock.setWall(by: .seconds(1200))
    try courier.clockWasSet()
    #expect(try carryOut(courier) == ["pills"])
    #expect(try pending() == ["2026-09-22T14:30:00Z"])
  }

  /// The process ends after the order to show it, after the answer, or while the answer is recorded.
  @Test(arguments: [0, 1])
  func `a program that is killed around a delivery neither loses that one nor the next`(answers: Int) throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    try advance(to: "2026-09-22T06:00:00Z")
    let (entry, _, notification) = try courier.nextShow()
    if answers == 1 { try courier.receive(.shown(entry: entry, notification)) }
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
    let next = self.courier()
    try next.takeOver()
    #expect(try carryOut(next) == ["pills"], "its buttons belong to a connection that is closed")
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
    #expect(try entries(.delivered).count == 1)
    try advance(to: "2026-09-23T06:00:00Z")
    #expect(try carryOut(next) == ["pills"])
    #expect(try pending() == ["2026-09-24T06:00:00Z"])
  }

  @Test func `a failed transaction leaves the occurrence and its time`() throws {
    let killed = StoreError.busy(path: "")
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    try advance(to: "2026-09-22T06:00:00Z")
    let entry = try #require(try store.ledger.due(at: clock.now()).first)
    #expect(throws: killed) {
      try store.changeLedger { ledger throws(StoreError) in
        try courier.courier.miss(entry, because: .outdated, in: ledger, at: clock.now())
        throw killed
      }
    }
    #expect(try pending() == ["2026-09-22T06:00:00Z"])
    #expect(try carryOut(courier) == ["pills"])
  }

  @Test func `a refused occurrence is tried again beside the next one`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    try advance(to: "2026-09-22T06:00:00Z")
    let entry = try courier.nextShow().entry
    try courier.receive(.notShown(entry: entry, .refused(name: "busy", message: "later")))
    #expect(try pending() == ["2026-09-22T06:00:00Z", "2026-09-23T06:00:00Z"])
    clock.advance(by: .seconds(5))
    #expect(try carryOut(courier) == ["pills"])
    #expect(try pending() == ["2026-09-23T06:00:00Z"])
  }

  /// The store as a program has it that adds requests.
  private func notifications() throws -> NotificationStore {
    try NotificationStore(StateDirectory(path: directory.path), clock: clock)
  }

  private func request(_ text: String, _ trigger: NotificationTrigger) -> NotificationRequest {
    NotificationRequest(NotificationIdentifier("a"), text, trigger: trigger)
  }

  @Test(arguments: ["old", "new"])
  func `a prepared occurrence is kept or replaced when its request is added again`(text: String) throws {
    let notifications = try notifications()
    let trigger = NotificationTrigger.every(.seconds(60))
    let due = clock.now().boot + .seconds(60)
    _ = try notifications.add(request("old", trigger))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    clock.advance(by: .seconds(60) - .milliseconds(20))
    let (entry, _, notification) = try courier.nextShow()
    _ = try notifications.add(request(text, trigger))
    #expect(try notifications.pending().map(\.request.summary) == [text])
    var shown: [String] = []
    if text == "new" {
      #expect(try courier.advance() == .callOff(entry: entry))
      try courier.receive(.notShown(entry: entry, .calledOff))
      shown += try carryOut(courier)
    } else {
      #expect(try courier.advance() == nil)
      try courier.receive(.shown(entry: entry, notification))
      shown.append("old")
    }
    clock.advance(by: .milliseconds(20))
    #expect(try shown + carryOut(courier) == [text])
    #expect(try entries(.delivered).map(\.due.boot) == [due])
    #expect(try entries(.pending).map(\.due.boot) == [due + .seconds(60)])
  }

  @Test func `an occurrence that waits for a server is replaced when its request is added again`() throws {
    let notifications = try notifications()
    _ = try notifications.add(request("old", .every(.seconds(300))))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    func fail() throws {
      clock.advance(by: .seconds(300))
      try courier.receive(.notShown(entry: courier.nextShow().entry, .noServer))
      clock.advance(by: .seconds(5))
    }
    try fail()
    #expect(try notifications.pending().map(\.request) == [request("old", .every(.seconds(300)))])
    _ = try notifications.add(request("new", .every(.seconds(300))))
    #expect(try notifications.pending().map(\.request) == [request("new", .every(.seconds(300)))])
    #expect(try carryOut(courier) == ["new"])
    #expect(try entries(.pending).map { $0.due.boot - clock.now().boot } == [.seconds(295)])
    try fail()
    _ = try notifications.add(request("rare", .every(.seconds(7200))))
    #expect(try notifications.pending().map(\.request) == [request("rare", .every(.seconds(7200)))])
    #expect(try carryOut(courier) == [])
    #expect(try entries(.cancelled).map(\.reason) == [.rescheduled])
    // What was cancelled doesn't keep another occurrence from waiting.
    clock.advance(by: .seconds(6900))
    try fail()
    #expect(try carryOut(courier) == ["rare"])
    #expect(try entries(.missed).isEmpty)
  }

  @Test func `the last occurrence is pending while it waits for a server`() throws {
    let notifications = try notifications()
    let only = request(
      "only", .matching(DateComponents(year: 2026, month: 9, day: 22, hour: 6), in: .gmt))
    _ = try notifications.add(only)
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    try advance(to: "2026-09-22T06:00:00Z")
    try courier.receive(.notShown(entry: courier.nextShow().entry, .noServer))
    #expect(try notifications.pending().map(\.request) == [only])
    clock.advance(by: .seconds(5))
    #expect(try carryOut(courier) == ["only"])
    #expect(try notifications.pending() == [])
  }

  @Test func `without a server the last occurrence decides whether it is too late`() throws {
    try add("stretch", .every(.seconds(300)))
    let courier = courier(latestDelivery: .seconds(400))
    try courier.takeOver()
    let start = clock.now().boot
    while clock.now().boot < start + .seconds(750) {
      while case .probe = try courier.advance() {
        try courier.receive(.serverUnavailable(.noServer))
      }
      let wake = min(try #require(try courier.nextWake()), start + .seconds(750))
      clock.advance(by: max(.milliseconds(1), wake - clock.now().boot))
    }
    #expect(try entries(.missed).isEmpty)
    try courier.receive(.serverChanged)
    #expect(try carryOut(courier) == ["stretch"])
    #expect(try entries(.delivered).map { $0.due.boot - start } == [.seconds(600)])
    #expect(try entries(.pending).map { $0.due.boot - start } == [.seconds(900)])
  }

  @Test func `of a tag the notification is shown whose last occurrence is the newest`() throws {
    let notifications = try notifications()
    var requests = [
      NotificationRequest(NotificationIdentifier("a"), "hourly", trigger: .every(.seconds(3600))),
      NotificationRequest(NotificationIdentifier("b"), "once", trigger: .after(.seconds(34_200))),
    ]
    for index in requests.indices { requests[index].tag = "t" }
    _ = try notifications.add(requests)
    clock.advance(by: .seconds(36_300))
    let courier = courier()
    try courier.takeOver()
    #expect(try carryOut(courier) == ["hourly"])
    #expect(try entries(.missed).map(\.reason) == [.merged(into: NotificationIdentifier("a"))])
    #expect(try entries(.pending).map { $0.due.boot - clock.now().boot } == [.seconds(3300)])
  }

  @Test func `of a tag nothing is shown that is too late`() throws {
    let notifications = try notifications()
    var requests = ["a", "b"].map {
      NotificationRequest(NotificationIdentifier($0), $0, trigger: .after(.seconds(60)))
    }
    for index in requests.indices { requests[index].tag = "t" }
    _ = try notifications.add(requests)
    clock.advance(by: .seconds(3600))
    let courier = courier()
    try courier.takeOver()
    #expect(try carryOut(courier) == [])
    #expect(try entries(.missed).count == 2)
  }

  @Test func `a repetition in an unknown time zone ends with the reason`() throws {
    let trigger = try #require(NotificationTrigger("matching hour=8 zone=Mars/Base"))
    let due = clock.now().advanced(by: .seconds(60))
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.add([ScheduledRequest(request("a", trigger), due: due)], at: clock.now())
    }
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    clock.advance(by: .seconds(60))
    #expect(try carryOut(courier) == ["a"])
    let ended = try #require(try entries(.cancelled).first)
    #expect(ended.request == request("a", trigger))
    #expect(ended.reason?.code == "unknown-time-zone")
    #expect(ended.reason?.arguments == ["Mars/Base"])
    #expect(ended.reason?.description == "the time zone \"Mars/Base\" is unknown")
    #expect(try entries().count == 2)
    let error = RequestError.unknownTimeZone("Mars/Base", identifier: NotificationIdentifier("a"))
    let notifications = try notifications()
    #expect(throws: error) { try notifications.add(request("a", trigger)) }
    // A time zone that is known continues it.
    _ = try notifications.add(request("a", .daily(8, in: .gmt)))
    #expect(try entries(.cancelled).isEmpty)
    #expect(try notifications.pending().count == 1)
  }

  @Test func `removal ends the repetition, with what is on screen and what is being shown`() throws {
    try add("pills", .daily(8))
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    try advance(to: "2026-09-22T06:00:00Z")
    let (entry, _, notification) = try courier.nextShow()
    try store.changeLedger { ledger throws(StoreError) in
      _ = try ledger.clear(.everything, at: clock.now(), reason: .removed)
    }
    try courier.receive(.shown(entry: entry, notification))
    try carryOut(courier)
    #expect(try entries().map(\.state) == [.removed, .cancelled])
    #expect(try store.ledger.hasNothingToWaitFor())
  }

  @Test func `ten thousand repeating notifications are delivered in turn`() throws {
    let requests = (0..<10_000).map { number in
      NotificationRequest(
        NotificationIdentifier("a", "\(number)"), "\(number)",
        trigger: .daily(number / 60 % 24, number % 60))
    }
    let first = FirstTimes(at: clock.now(), calendar)
    let scheduled = try requests.map { ScheduledRequest($0, due: try first.due($0)) }
    try store.changeLedger { ledger throws(StoreError) in try ledger.add(scheduled, at: clock.now()) }
    let courier = courier()
    try courier.takeOver()
    try carryOut(courier)
    let next = try #require(try courier.nextWake())
    clock.advance(by: next - clock.now().boot)
    // 10,000 in 1,440 minutes.
    #expect((6...7).contains(try carryOut(courier).count))
    #expect(try entries(.pending).count == 10_000)
  }
}
