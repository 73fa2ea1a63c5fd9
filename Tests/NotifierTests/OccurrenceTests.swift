import Foundation
import NotifierTesting
import TestSupport
import Testing

@testable import Notifier

/// The dates for which notifications are meant, whatever happens to programs, clocks and time zones.
@Suite(.timeLimit(.minutes(2)))
struct OccurrenceTests {
  private let desktop: TestDesktop
  private let store: NotificationStore
  private let pill = NotificationIdentifier("pill", "Aspirin")

  init() throws {
    desktop = TestDesktop(
      clock: ManualClock(at: try date("2026-09-30T12:00:00Z"), in: try zone("Australia/Sydney")))
    store = try desktop.openStore()
  }

  private func withScheduler(
    willPresent: @escaping @Sendable (LedgerEntry, Duration) -> NotificationPresentation = { _, _ in .show },
    _ body: (NotificationScheduler) async throws -> Void
  ) async throws {
    try await NotificationScheduler(
      store, application: .test, through: .test(desktop), latestDelivery: .seconds(3600),
      willPresent: willPresent, onFailure: { Issue.record($0) }
    ).deliver(body)
  }

  private static let userInfo = ["dose": "1", "a \"quoted\"\\\n\u{1}/": "", "": "\t"]

  private func request(
    _ trigger: NotificationTrigger = .daily(8), missed: MissedOccurrences = .each(atMost: 64)
  ) -> NotificationRequest {
    NotificationRequest(
      pill, "Aspirin", actions: [NotificationAction(key: "snooze", title: "In 10 min")], trigger: trigger,
      userInfo: OccurrenceTests.userInfo, missed: missed)
  }

  /// The dates of the entries that repeat no other one, earliest first.
  private func occurrences() throws -> [Date] {
    try store.entries().filter { $0.state != .pending && !$0.isShownAgain }.map(\.occurrence)
  }

  @Test func `a visible occurrence is removed without the end of its repetition`() async throws {
    try store.add(request())
    try await withScheduler { _ in
      await desktop.advance(to: try date("2026-10-01T00:00:00Z"))
      #expect(desktop.onScreen.count == 1)
      #expect(try store.removeDelivered(in: NotificationScope(pill)) == 1)
      await desktop.finishDueWork()
      #expect(desktop.onScreen.isEmpty)
      #expect(try store.delivered().isEmpty)
      #expect(try store.pending().count == 1)
      #expect(try store.removeDelivered(in: .everything) == 0)
      await desktop.advance(to: try date("2026-10-02T00:00:00Z"))
      #expect(desktop.onScreen.count == 1)
    }
  }

  // MARK: - Missed

  @Test func `a month has the occurrences of a calendar, each with one entry`() async throws {
    _ = try store.add(request())
    var random = SplitMix64(seed: 7)
    // Both nights of daylight saving: Sydney on 4 October, Berlin on 25 October.
    let moves = [
      ("2026-10-12T01:00:00Z", "Europe/Berlin"), ("2026-10-18T09:00:00Z", "America/New_York"),
      ("2026-10-22T10:00:00Z", "Europe/Berlin"),
    ].map { (at: $0.0, zone: $0.1) }
    let asleep = (from: try date("2026-10-14T12:00:00Z"), for: Duration.seconds(3 * 86_400 + 7))
    let end = try date("2026-10-30T12:00:00Z")
    var rest = moves[...]
    while desktop.clock.now().wall.date < end {
      try await withScheduler { _ in
        // Until this program ends, at a random time.
        let stop = desktop.clock.now().wall.date + Double.random(in: 1...90_000, using: &random)
        var isAsleep = false
        while desktop.clock.now().wall.date < min(stop, end) {
          let now = desktop.clock.now().wall.date
          if let move = rest.first, try date(move.at) <= now {
            await desktop.setTimeZone(try zone(move.zone))
            rest.removeFirst()
          }
          if now >= asleep.from, now < asleep.from + 3600, !isAsleep {
            isAsleep = true
            await desktop.suspend(for: asleep.for)
          } else {
            await desktop.advance(by: .seconds(600))
          }
        }
      }
      // A while without a program, but not while the time zone is changed.
      if rest.first == nil { desktop.clock.advance(by: .seconds(Int.random(in: 0...40_000, using: &random))) }
    }
    try await withScheduler { _ in await desktop.finishDueWork() }

    // In each time zone, the occurrences of its days; and those whose day had passed there when it was set.
    var expected: [Date] = []
    var place = try date("2026-09-30T12:00:00Z")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try zone("Australia/Sydney")
    func next(after date: Date) throws -> Date {
      try #require(
        calendar.nextDate(
          after: date, matching: DateComponents(hour: 8, minute: 0), matchingPolicy: .nextTime))
    }
    let reached = desktop.clock.now().wall.date
    for (time, name) in try moves.map({ (try date($0.at), $0.zone) }) + [(reached, "")] {
      while try next(after: place) <= time {
        place = try next(after: place)
        expected.append(place)
      }
      guard !name.isEmpty else { break }
      let planned = calendar.dateComponents([.year, .month, .day, .hour], from: try next(after: time))
      calendar.timeZone = try zone(name)
      let there = try #require(calendar.date(from: planned))
      if there <= time { expected.append(there) }
      place = time
    }
    #expect(try occurrences() == expected)
    #expect(expected.count > 28)
    let jumped = try store.entries().filter { $0.reason?.code == "zone-changed" }
    #expect(try jumped.map(\.occurrence) == [date("2026-10-22T06:00:00Z")])
    #expect(try store.entries().count { $0.state == .missed && $0.reason?.code == "late" } >= 2)
    #expect(try store.pending().count == 1)
    #expect(Set(try store.entries().map(\.id)).count == (try store.entries().count))
  }

  @Test func `missed occurrences have entries only if the request wants them, the newest ones`() async throws
  {
    for (missed, count) in [(MissedOccurrences.last, 1), (.each(atMost: 2), 3), (.each(atMost: 64), 4)] {
      try store.remove(.everything)
      let before = try store.entries().count
      for trigger in [NotificationTrigger.daily(8), .every(.seconds(86_400))] {
        let identifier = NotificationIdentifier("pill", "\(trigger)", "\(count)")
        var request = request(trigger, missed: missed)
        request.identifier = identifier
        _ = try store.add(request)
      }
      desktop.clock.advance(by: .seconds(4 * 86_400 + 3600))
      try await withScheduler { _ in await desktop.finishDueWork() }
      #expect(try store.entries().count - before == 2 * (count + 1), "\(missed)")
    }
  }

  @Test func `a day that was not to come is not missed, whatever the time zones are in between`() async throws
  {
    _ = try store.add(request(.daily(9)))
    try await withScheduler { _ in
      for name in ["UTC", "Asia/Tokyo", "America/New_York"] {
        await desktop.setTimeZone(try zone(name))
      }
      let missed = try store.entries().filter { $0.state == .missed }
      #expect(missed.map(\.occurrence) == [])
      await desktop.advance(to: try date("2026-09-30T13:00:00Z"))
      let entry = try #require(try store.delivered().first)
      #expect(
        entry.localOccurrence
          == DateComponents(
            timeZone: TimeZone(secondsFromGMT: -4 * 3600), year: 2026, month: 9, day: 30, hour: 9, minute: 0,
            second: 0))
      // What it was meant for stays so elsewhere.
      await desktop.setTimeZone(try zone("Asia/Tokyo"))
      #expect(try store.delivered().first?.localOccurrence == entry.localOccurrence)
    }
  }

  @Test func `an occurrence doesn't drift with the readings of the clocks`() async throws {
    _ = try store.add(request(.every(.seconds(3600))))
    let due = try #require(try store.pending().first).occurrence
    for _ in 1...20 {
      desktop.clock.setWall(by: .microseconds(3))
      try await withScheduler { _ in await desktop.finishDueWork() }
    }
    #expect(try store.pending().first?.occurrence == due)
    // A clock that was set moves it.
    desktop.clock.setWall(by: .seconds(3))
    try await withScheduler { _ in await desktop.finishDueWork() }
    #expect(try store.pending().first?.occurrence != due)
  }

  @Test func `the diary of the recipe has a line for each occurrence, and what the user did`() async throws {
    func diary() throws -> [Date: String] {
      var diary: [Date: String] = [:]
      for entry in try store.entries() where entry.state != .pending {
        // An occurrence that was shown again or snoozed has several entries.
        if entry.response != nil || diary[entry.occurrence] == nil {
          diary[entry.occurrence] = entry.response.map { "\($0)" } ?? "\(entry.state)"
        }
      }
      return diary
    }
    _ = try store.add(request())
    try await withScheduler { _ in await desktop.advance(by: .seconds(86_400)) }
    // Shown again by another program, and then pressed.
    try await withScheduler { _ in
      await desktop.finishDueWork()
      try await desktop.press("snooze", on: pill)
    }
    #expect(try diary().map(\.value) == ["action(key: \"snooze\")"])
    try store.snooze(try #require(try store.responses().last), for: .seconds(60))
    try await withScheduler { _ in
      await desktop.advance(by: .seconds(60))
      try await desktop.dismiss(try #require(desktop.onScreen.first).identifier)
    }
    desktop.clock.advance(by: .seconds(3 * 86_400))
    try await withScheduler { _ in await desktop.finishDueWork() }
    #expect(try diary().count == 4)
    #expect(try diary()[date("2026-09-30T22:00:00Z")] == "dismissed")
    #expect(try store.entries().count { $0.reason?.code == "late" } == 3)
  }

  @Test(arguments: ["Asia/Tokyo", "America/New_York", "Europe/London"])
  func `a missed occurrence keeps its local time in another time zone, and has one entry`(
    name: String
  ) async throws {
    await desktop.setTimeZone(try zone("Europe/Berlin"))
    desktop.clock.advance(by: .seconds(17 * 3600))
    // 7:00 in Berlin on 1 October.
    _ = try store.add(request(.daily(8)))
    desktop.clock.advance(by: .seconds(5 * 3600))
    await desktop.setTimeZone(try zone(name))
    desktop.clock.advance(by: .seconds(24 * 3600))
    try await withScheduler { _ in await desktop.finishDueWork() }
    let missed = try store.entries().filter { $0.state == .missed }.compactMap(\.localOccurrence)
    #expect(missed.map { [$0.month, $0.day, $0.hour] }.first == [10, 1, 8])
    #expect(Set(missed).count == missed.count)
    #expect(missed.allSatisfy { $0.hour == 8 })
  }

  @Test func `a reminder that is changed or removed keeps the entries of its missed occurrences`()
    async throws
  {
    for isRemoved in [false, true] {
      try store.remove(.everything)
      let before = try store.entries().count { $0.state == .missed }
      _ = try store.add(request())
      desktop.clock.advance(by: .seconds(3 * 86_400 + 3600))
      if isRemoved {
        try store.remove(NotificationScope(pill))
      } else {
        _ = try store.add(request(.daily(9)))
      }
      #expect(try store.entries().count { $0.state == .missed } - before == 3, "\(isRemoved)")
      // The same request again keeps its time, and its occurrences are decided when it is due.
      if !isRemoved {
        desktop.clock.advance(by: .seconds(86_400))
        _ = try store.add(request(.daily(9)))
        #expect(try store.entries().count { $0.state == .missed } - before == 3)
      }
    }
  }

  @Test func `a request that is replaced leaves those below its identifier alone`() async throws {
    var below = request()
    below.identifier = pill.appending("evening")
    _ = try store.add([request(), below])
    desktop.clock.advance(by: .seconds(3 * 86_400 + 3600))
    _ = try store.add(request(.daily(9)))
    let scope = NotificationScope(below.identifier)
    #expect(try store.entries(in: scope).map(\.state) == [.pending])
    try await withScheduler { _ in await desktop.finishDueWork() }
    #expect(try store.entries(in: scope).count { $0.state == .missed } == 3)
  }

  // MARK: - Snoozes

  @Test func `a snooze keeps the occurrence and the repetition, and counts once`() async throws {
    _ = try store.add(request())
    var first: NotificationResponse?
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      await desktop.advance(by: .seconds(86_400))
      try await desktop.press("snooze", on: pill)
      first = await responses.next()
    }
    let response = try #require(first)
    let dose = try date("2026-09-30T22:00:00Z")
    #expect(response.occurrence == dose)
    #expect(response.request.userInfo == OccurrenceTests.userInfo)
    #expect(try store.entries().first { $0.id == response.entry }?.response == .action(key: "snooze"))
    // Twice, by two programs.
    try store.snooze(response, for: .seconds(600))
    try desktop.openStore().snooze(response, for: .seconds(900))
    let copy = try #require(try store.pending().first { $0.request.identifier != pill })
    #expect((copy.occurrence, copy.dueAt) == (dose, response.respondedAt + 600))
    #expect(copy.localOccurrence?.hour == 8)
    #expect(try store.pending().count == 2)

    var second: NotificationResponse?
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      await desktop.advance(by: .seconds(600))
      #expect(desktop.onScreen.map(\.identifier) == [copy.request.identifier])
      // The snooze of the snooze, delivered again after it was shown.
      try store.snooze(response, for: .seconds(600))
      try await desktop.press("snooze", on: copy.request.identifier)
      second = await responses.next()
    }
    let again = try #require(second)
    #expect(again.occurrence == dose)
    #expect(again.entry == copy.id)
    // After its time, and after a restart: at once.
    desktop.clock.advance(by: .seconds(7200))
    try store.snooze(again, for: .seconds(600))
    try await withScheduler { _ in
      await desktop.finishDueWork()
      let shown = try #require(desktop.onScreen.first)
      #expect(shown.identifier.components.count == 3)
      let entry = try #require(try store.delivered().first { $0.request.identifier == shown.identifier })
      #expect(entry.occurrence == dose)
      // The repetition lives.
      await desktop.advance(by: .seconds(86_400))
      #expect(desktop.onScreen.contains { $0.identifier == pill })
    }
    // Whoever removes the reminder removes the snooze, and a late response brings none back.
    try store.remove(NotificationScope(pill))
    try store.snooze(again, for: .seconds(600))
    try store.snooze(response, for: .seconds(600))
    #expect(try store.pending().isEmpty)
  }

  @Test(arguments: ["2026-09-30T18:00:00Z", "2026-10-01T05:00:00Z"])
  func `a set clock moves no snooze`(time: String) async throws {
    _ = try store.add(request(.at(try date("2026-09-30T22:00:00Z"))))
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      await desktop.advance(to: try date("2026-09-30T22:00:00Z"))
      try await desktop.press("snooze", on: pill)
      let response = await responses.next()
      try store.snooze(try #require(response), for: .seconds(600))
      await desktop.setClock(to: try date(time))
      await desktop.advance(by: .seconds(599))
      #expect(desktop.onScreen.isEmpty)
      await desktop.advance(by: .seconds(1))
      #expect(desktop.onScreen.count == 1)
    }
  }

  @Test(arguments: ["2026-09-30T18:00:00Z", "2026-10-01T05:00:00Z"])
  func `a clock set between the response and the snooze doesn't move it`(time: String) async throws {
    _ = try store.add(request(.at(try date("2026-09-30T22:00:00Z"))))
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      await desktop.advance(to: try date("2026-09-30T22:00:00Z"))
      try await desktop.press("snooze", on: pill)
      let response = await responses.next()
      await desktop.setClock(to: try date(time))
      await desktop.advance(by: .seconds(60))
      try store.snooze(try #require(response), for: .seconds(600))
      await desktop.advance(by: .seconds(539))
      #expect(desktop.onScreen.isEmpty)
      await desktop.advance(by: .seconds(1))
      #expect(desktop.onScreen.count == 1)
    }
  }

  @Test(arguments: [(1800, 1), (12 * 3600, 0)])
  func `a snooze that ended while the machine was off comes only within the latest delivery`(
    off: Int64, shown: Int
  ) async throws {
    _ = try store.add(request(.at(try date("2026-09-30T22:00:00Z"))))
    try await withScheduler { scheduler in
      var responses = scheduler.responses().makeAsyncIterator()
      await desktop.advance(to: try date("2026-09-30T22:00:00Z"))
      try await desktop.press("snooze", on: pill)
      let response = await responses.next()
      try store.snooze(try #require(response), for: .seconds(600))
    }
    desktop.reboot(after: .seconds(off))
    try await withScheduler { _ in
      await desktop.finishDueWork()
      #expect(desktop.onScreen.count == shown)
    }
  }

  @Test func `50 daily reminders come once each if the clock is set forward by a week`() async throws {
    _ = try store.add(
      (0..<50).map {
        NotificationRequest(NotificationIdentifier("daily", "\($0)"), "Daily \($0)", trigger: .daily(8, $0))
      })
    try await withScheduler { _ in
      await desktop.setClock(to: desktop.clock.now().wall.date + 7 * 86_400)
      await desktop.finishDueWork()
      #expect(desktop.shown.count <= 50)
      #expect(Set(desktop.shown.map(\.identifier)).count == desktop.shown.count)
      let (pending, before) = (try store.pending(), desktop.shown.count)
      #expect(pending.count == 50)
      await desktop.advance(by: .seconds(86_400))
      #expect(desktop.shown.count == before + 50)
    }
  }

  @Test func `a reminder on two weekdays keeps its time when the clocks change between them`() throws {
    let trigger = NotificationTrigger.weekly(on: [.sunday, .tuesday], 14, 31)
    let dates = trigger.occurrences(
      in: try date("2026-03-23T09:00:00Z")..<date("2026-04-06T00:00:00Z"), in: try zone("Europe/Berlin"))
    let times = [
      "2026-03-24T13:31:00Z", "2026-03-29T12:31:00Z", "2026-03-31T12:31:00Z", "2026-04-05T12:31:00Z",
    ]
    let expected = try times.map { try date($0) }
    #expect(dates == expected)
  }

  @Test func `what is shown again says so, and keeps its occurrence`() async throws {
    _ = try store.add(request())
    try await withScheduler { _ in await desktop.advance(by: .seconds(86_400)) }
    desktop.clock.advance(by: .seconds(3600))
    try await withScheduler { _ in
      await desktop.finishDueWork()
      let entry = try #require(try store.delivered().first)
      #expect(entry.isShownAgain)
      #expect(try entry.occurrence == date("2026-09-30T22:00:00Z"))
      #expect(entry.dueAt == entry.occurrence)
      let former = try #require(try store.entries().first { $0.state == .removed })
      #expect(!former.isShownAgain && former.id != entry.id)
      let text = try JSONEncoder().encode(entry.id)
      #expect(try JSONDecoder().decode(LedgerEntry.ID.self, from: text) == entry.id)
    }
  }

  // MARK: - At the moment of showing

  @Test func `a program changes the text of a notification by its occurrence and lateness`() async throws {
    _ = try store.add(request())
    desktop.clock.advance(by: .seconds(10 * 3600 + 1800))
    let due = try date("2026-09-30T22:00:00Z")
    try await withScheduler { entry, lateness in
      var changed = entry.request
      changed.body = "for \(Int(entry.occurrence.timeIntervalSince(due))), \(lateness) late"
      changed.actions = [
        NotificationAction(key: "other", title: "Other"), NotificationAction(key: "snooze", title: "Later"),
      ]
      return entry.request.body.isEmpty ? .change(changed) : .show
    } _: { _ in
      await desktop.finishDueWork()
      let shown = try #require(desktop.onScreen.first)
      #expect(shown.body == "for 0, 1800.0 seconds late")
      #expect(shown.actions.map(\.title) == ["Later"])
      #expect(try store.delivered().map(\.request) == [request()])
    }
  }

  // MARK: - Readers

  @Test func `a named reader gets each response until it has handled it`() async throws {
    struct Interrupted: Error {}
    func press(_ body: String) async throws {
      _ = try store.add(
        NotificationRequest(
          pill, "Aspirin", body, actions: [NotificationAction(key: "taken", title: "Taken")]))
      await desktop.finishDueWork()
      try await desktop.press("taken", on: pill)
    }
    var handled: [String] = []
    try await withScheduler { scheduler in
      try await press("1")
      try await press("2")
      await #expect(throws: Interrupted.self) {
        try await scheduler.respond(as: "log") { response in
          guard response.request.body == "1" else { throw Interrupted() }
          handled.append(response.request.body)
        }
      }
    }
    #expect(handled == ["1"])
    try await withScheduler { scheduler in
      try await press("3")
      for reader in ["log", "other"] {
        await #expect(throws: Interrupted.self) {
          try await scheduler.respond(as: reader) { response in
            handled.append(response.request.body)
            if response.request.body == "3" { throw Interrupted() }
          }
        }
      }
    }
    #expect(handled == ["1", "2", "3", "1", "2", "3"])
  }

  // MARK: - Late additions

  @Test func `a late request counts if its own limit allows it`() async throws {
    let past = NotificationTrigger.at(desktop.clock.now().wall.date - 60)
    #expect(try !store.add(request(past)))
    var patient = request(past)
    patient.latestDelivery = .seconds(3600)
    #expect(try store.add(patient))
    try await withScheduler { _ in
      await desktop.finishDueWork()
      #expect(desktop.onScreen.map(\.identifier) == [pill])
    }
  }

  // MARK: - Patterns

  @Test func `one request has several weekdays, an interval of days, and limits`() throws {
    let berlin = try zone("Europe/Berlin")
    let start = try date("2026-11-23T00:00:00+01:00")
    func dates(_ trigger: NotificationTrigger, days: Double = 21) -> [String] {
      #expect(NotificationTrigger(trigger.description) == trigger)
      return trigger.occurrences(in: start..<start + days * 86_400, in: berlin).map {
        $0.formatted(.iso8601.month().day().timeZone(separator: .omitted)) + ""
      }.map { String($0.prefix(5)) }
    }
    #expect(
      dates(.weekly(on: [.monday, .thursday, .sunday], 8), days: 8)
        == ["11-23", "11-26", "11-29", "11-30"])
    #expect(dates(.daily(8, every: 3, from: start), days: 10) == ["11-23", "11-26", "11-29", "12-02"])
    // Counted from the day, not from the hour of the first date.
    let evening = start + 20 * 3600
    #expect(dates(.daily(8, every: 2, from: evening), days: 6) == ["11-25", "11-27"])
    #expect(dates(.daily(8, from: evening, through: start + 3.5 * 86_400)) == ["11-24", "11-25", "11-26"])
    #expect(dates(.daily(8, from: start + 8 * 3600, times: 2)) == ["11-23", "11-24"])
    #expect(dates(.weekly(on: [.saturday], 9, 30, from: start, times: 2)) == ["11-28", "12-05"])
    #expect(dates(.every(.seconds(86_400)), days: 3) == ["11-23", "11-24"])
    #expect(dates(.at(start + 7200)) == ["11-23"])
    let monthly = NotificationTrigger.matching(DateComponents(day: 1, hour: 8), times: 1)
    #expect(monthly.next(after: start, in: berlin) == nil)
    // 8:00 in Tokyo is midnight in Berlin, which is not after itself.
    #expect(NotificationTrigger.daily(8).next(after: start, in: try zone("Asia/Tokyo")) == start + 86_400)
  }

  @Test func `a request ends with its limits, and impossible limits are refused`() async throws {
    let now = desktop.clock.now().wall.date
    _ = try store.add(request(.daily(8, from: now, times: 2)))
    try await withScheduler { _ in await desktop.advance(by: .seconds(5 * 86_400)) }
    #expect(try occurrences().count == 2)
    #expect(try store.pending().isEmpty)
    for (trigger, text) in [
      (NotificationTrigger.daily(8, times: 3), "has no first date to count from; give it a first date"),
      (.daily(8, every: 2), "has no first date to count from; give it a first date"),
      (.daily(8, every: 0, from: now), "repeats after 0 days; use a number from 1 to 1000"),
      (.daily(8, from: now, times: 1001), "has 1001 times; use a number from 1 to 1000"),
      (.weekly(on: [], 8), "has no time: the weekday is 0; use a value from 1 to 7"),
      (.daily(8, through: now - 1), "match a date that exists and is to come"),
    ] {
      let error = #expect(throws: RequestError.self, "\(trigger)") { _ = try store.add(request(trigger)) }
      #expect(error.map { "\($0)".contains(text) } == true, "\(String(describing: error))")
    }
  }
}

private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }
