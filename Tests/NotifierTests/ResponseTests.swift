import Foundation
import NotifierTesting
import TestSupport
import Testing

@testable import NotifierLedger
@testable import Notifier

/// The user's responses in the store, and in streams that continue after a position.
@Suite(.timeLimit(.minutes(1)))
struct ResponseTests {
  private let desktop = TestDesktop()
  private let store: NotificationStore

  init() throws { store = try desktop.openStore() }

  private func id(_ number: Int) -> NotificationIdentifier { NotificationIdentifier("tea", "\(number)") }

  /// Runs a scheduler until the end of a block.
  private func withScheduler(_ body: (NotificationScheduler) async throws -> Void) async throws {
    try await NotificationScheduler(store, on: desktop).deliver(body)
  }

  /// Shows a notification and presses its button.
  private func press(_ number: Int) async throws {
    _ = try store.add(
      NotificationRequest(id(number), "Tea", actions: [NotificationAction(key: "yes", title: "Yes")]))
    await desktop.finishDueWork()
    try await desktop.press("yes", on: id(number))
  }

  private func dismissal(_ number: Int) -> NotificationResponse {
    NotificationResponse(
      to: LedgerEntry(
        NotificationRequest(id(number), "Tea"), .removed, dueAt: Moment(microseconds: 0).date),
      choice: .dismissed,
      respondedAt: Moment(microseconds: 0).date, position: ResponsePosition(number: Int64(number)))
  }

  private func ids(_ responses: [NotificationResponse]) -> [NotificationIdentifier] {
    responses.map(\.request.identifier)
  }

  @Test func `a response that a killed program didn't handle is in the stream of the next one`() async throws
  {
    try await withScheduler { scheduler in
      let unread = scheduler.responses()
      try await press(1)
      try await press(2)
      withExtendedLifetime(unread) {}
    }
    var handled = try JSONEncoder().encode(ResponsePosition.beginning)
    for number in 1...3 {
      try await withScheduler { scheduler in
        let position = try JSONDecoder().decode(ResponsePosition.self, from: handled)
        var responses = try scheduler.responses(after: position).makeAsyncIterator()
        if number == 3 { try await press(3) }
        let response = try #require(await responses.next())
        #expect(response.request.identifier == id(number))
        #expect(response.choice == .action(key: "yes"))
        handled = try JSONEncoder().encode(response.position)
      }
    }
    #expect(try ids(store.responses()) == [id(1), id(2), id(3)])
    #expect(try store.responses(after: JSONDecoder().decode(ResponsePosition.self, from: handled)).isEmpty)
  }

  @Test func `a stream has each response once, whenever it begins`() async throws {
    try await withScheduler { scheduler in
      var streams: [AsyncStream<NotificationResponse>] = []
      for number in 1...4 {
        streams.append(try scheduler.responses(after: .beginning))
        try await press(number)
      }
      streams.append(try scheduler.responses(after: store.responses()[1].position))
      streams.append(scheduler.responses())
      try await press(5)
      await scheduler.shutdown()
      for (index, stream) in streams.enumerated() {
        let first = [1, 1, 1, 1, 3, 5][index]
        var responses = stream.makeAsyncIterator()
        for number in first...5 { #expect(await responses.next()?.request.identifier == id(number)) }
        #expect(await responses.next() == nil)
      }
      var late = try scheduler.responses(after: store.responses()[3].position).makeAsyncIterator()
      #expect(await late.next()?.request.identifier == id(5))
      #expect(await late.next() == nil)
    }
  }

  @Test func `a response that is put again after a stream was filled with it comes once`() async throws {
    let response = dismissal(1)
    let readers = ResponseReaders()
    var responses = try readers.stream(after: .beginning, of: nil, beginningWith: { [response] })
      .makeAsyncIterator()
    readers.put(response)
    readers.finish()
    #expect(await responses.next() == response)
    #expect(await responses.next() == nil)
    // A program that has handled it in the meantime doesn't get it again.
    let others = ResponseReaders()
    var rest = try others.stream(after: response.position, of: nil, beginningWith: { [] })
      .makeAsyncIterator()
    others.put(response)
    others.finish()
    #expect(await rest.next() == nil)
  }

  @Test func `a response that arrives while a stream is filled comes once and in order`() async throws {
    let all = (1...3).map(dismissal)
    let readers = ResponseReaders()
    var readCount = 0
    var responses = try readers.stream(
      after: .beginning, of: nil,
      beginningWith: {
        readCount += 1
        // The store is read before the second response is recorded.
        defer { if readCount == 1 { readers.put(all[1]) } }
        return Array(all.prefix(readCount))
      }
    ).makeAsyncIterator()
    readers.put(all[2])
    for response in all { #expect(await responses.next() == response) }
    #expect(readCount == 2)
  }

  @Test func `each press of a resident notification is a response`() async throws {
    try await withScheduler { _ in
      let actions = ["yes", "no"].map { NotificationAction(key: $0, title: $0) }
      var style = NotificationStyle()
      style.isResident = true
      _ = try store.add(NotificationRequest(id(1), "Tea", actions: actions, style: style))
      await desktop.finishDueWork()
      for key in ["yes", "no", "yes"] {
        desktop.clock.advance(by: .seconds(1))
        try await desktop.press(key, on: id(1))
      }
      let responses = try store.responses()
      #expect(responses.map(\.choice) == ["yes", "no", "yes"].map { .action(key: $0) })
      let times = responses.map(\.respondedAt)
      #expect(times == (1...3).map { times[0].advanced(by: Double($0 - 1)) })
      #expect(try store.entries().map(\.response) == [.action(key: "yes")])
    }
  }

  // MARK: - Responses of the program

  private func addDaily() throws {
    let actions = ["taken", "later"].map { NotificationAction(key: $0, title: $0) }
    // The clock shows 14:13:20.
    try store.add(
      NotificationRequest(id(1), "Tea", actions: actions, trigger: .daily(15), missed: .each(atMost: 9)))
  }

  @Test func `a program responds in place of the user, and readers get its response in order`() async throws {
    try addDaily()
    try await withScheduler { scheduler in
      var live = scheduler.responses().makeAsyncIterator()
      await desktop.advance(by: .seconds(3600))
      let entry = try #require(try store.delivered().first)
      // Another process of the program has a store and no scheduler.
      let other = try desktop.openStore()
      let response = try #require(try other.respond(to: entry, with: .action(key: "taken")))
      #expect((response.choice, response.entry) == (.action(key: "taken"), entry.id))
      await desktop.finishDueWork()
      #expect(await live.next() == response)
      #expect(desktop.onScreen.isEmpty)
      let after = try #require(try store.entries().first { $0.id == entry.id })
      #expect((after.state, after.response) == (.removed, .action(key: "taken")))
      #expect(after.reason?.code == "pressed")
      // A second one has no effect, and the next day comes.
      #expect(try other.respond(to: entry, with: .dismissed) == nil)
      #expect(try store.pending().count == 1)
      await desktop.advance(by: .seconds(86_400))
      try await desktop.press("later", on: id(1))
      #expect(await live.next()?.choice == .action(key: "later"))
      #expect(try store.responses().map(\.choice) == ["taken", "later"].map { .action(key: $0) })
    }
  }

  @Test func `a program responds to what was missed, and not to what is pending`() async throws {
    try addDaily()
    desktop.clock.advance(by: .seconds(2 * 86_400 + 3600))
    try await withScheduler { _ in await desktop.finishDueWork() }
    let missed = try #require(try store.entries().first { $0.state == .missed })
    let pending = try #require(try store.pending().first)
    #expect(try store.respond(to: pending, with: .dismissed) == nil)
    #expect(throws: RequestError.unknownKey("eaten", identifier: id(1))) {
      try store.respond(to: missed, with: .action(key: "eaten"))
    }
    #expect(try store.respond(to: missed, with: .action(key: "taken"))?.occurrence == missed.occurrence)
    let after = try #require(try store.entries().first { $0.id == missed.id })
    #expect((after.state, after.response) == (.missed, .action(key: "taken")))
    #expect(try store.responses().count == 1)
  }

  @Test func `a visible notification that stays takes any number of responses`() async throws {
    try await withScheduler { _ in
      var style = NotificationStyle()
      style.isResident = true
      try store.add(
        NotificationRequest(
          id(1), "Tea", actions: [NotificationAction(key: "more", title: "More")], style: style))
      await desktop.finishDueWork()
      let entry = try #require(try store.delivered().first)
      for _ in 1...2 {
        #expect(try store.respond(to: entry, with: .action(key: "more")) != nil)
        await desktop.finishDueWork()
      }
      #expect(desktop.onScreen.count == 1)
      #expect(try store.respond(to: entry, with: .dismissed) != nil)
      #expect(try store.respond(to: entry, with: .action(key: "more")) == nil)
      await desktop.finishDueWork()
      #expect(desktop.onScreen.isEmpty)
      #expect(try store.responses().count == 3)
    }
  }

  @Test func `readers get the responses of a store that is made again with earlier numbers`() async throws {
    let readers = ResponseReaders(after: ResponsePosition(number: 1 << 40))
    let later = dismissal(1 << 41)
    var live = readers.stream(of: nil).makeAsyncIterator()
    var known = try readers.stream(after: .beginning, of: nil, beginningWith: { [later] }).makeAsyncIterator()
    #expect(await known.next() == later)
    let open = try store.reopened()
    try readers.putNew(in: open.ledger)
    try dismiss(1...2)
    try readers.putNew(in: open.ledger)
    for number in 1...2 {
      #expect(await live.next()?.request.identifier == id(number))
      #expect(await known.next()?.request.identifier == id(number))
    }
  }

  // MARK: - Occurrences

  @Test func `an occurrence has all its entries and answers, whatever happened to it`() async throws {
    try addDaily()
    func occurrences() throws -> [NotificationOccurrence] {
      try store.occurrences(in: NotificationScope(id(1))).filter { $0.latest.state != .pending }
    }
    try await withScheduler { scheduler in
      await desktop.advance(by: .seconds(3600))
      try await desktop.press("later", on: id(1))
      try store.snooze(#require(try store.responses().last), for: .seconds(600))
      await desktop.advance(by: .seconds(600))
    }
    // The snoozed copy is shown again by the next program.
    try await withScheduler { _ in
      await desktop.finishDueWork()
      let snoozed = try #require(try store.delivered().first)
      try await desktop.press("taken", on: snoozed.request.identifier)
    }
    let first = try #require(try occurrences().first)
    #expect(try occurrences().count == 1)
    #expect(first.identifier == id(1))
    #expect(first.entries.map(\.state) == [.removed, .removed, .removed])
    #expect(first.responses.map(\.choice) == ["later", "taken"].map { .action(key: $0) })
    #expect(first.choice == .action(key: "taken"))
    #expect(first.respondedAt == desktop.clock.now().wall.date)
    #expect(first.date == first.entries[0].dueAt)
    #expect(first.localDate?.timeZone == TimeZone(secondsFromGMT: 0))
    // The next day is pending.
    #expect(
      try store.occurrences().map(\.date) == [first.date, first.date + 86_400])
  }

  // MARK: - The table

  /// Adds delivered notifications that the user has dismissed.
  private func dismiss(_ numbers: ClosedRange<Int>) throws {
    let open = try store.reopened()
    try open.changeLedger { ledger throws(StoreError) in
      for number in numbers {
        let reading = store.clock.now()
        try ledger.add([NotificationRequest(id(number), "Tea", trigger: .immediately)], at: reading)
        guard let entry = try ledger.due(at: reading).first else { return }
        try ledger.present(
          entry, as: ShownNotification(id: UInt32(number), epoch: ServerEpoch(busID: "a", owner: "b")),
          at: reading.wall)
        try ledger.assumeShown(entry, at: reading.wall)
        try ledger.keep(.dismissed, of: entry)
        _ = try ledger.record(.dismissed, to: entry, activationToken: nil, at: reading)
      }
    }
  }

  /// Has the visible notifications end, and deletes all but the last ones.
  private func end(keeping count: Int) throws {
    let open = try store.reopened()
    try open.changeLedger { ledger throws(StoreError) in
      for entry in try ledger.live() {
        try ledger.remove(entry, at: store.clock.now().wall, reason: .closed)
      }
      try ledger.prune(keeping: count)
    }
  }

  @Test func `the last thousand responses are kept, without their notifications`() throws {
    try dismiss(1...1010)
    #expect(try ids(store.responses()) == (11...1010).map(id))
    let position = try #require(try store.responses().last).position
    try end(keeping: 0)
    #expect(try store.entries().isEmpty)
    #expect(try ids(store.responses()) == (11...1010).map(id))
    try dismiss(1011...1011)
    #expect(try ids(store.responses(after: position)) == [id(1011)])
  }

  @Test func `a position of another store, which had more responses, counts as the beginning`() throws {
    try dismiss(1...2)
    let position = try #require(try store.responses().last).position
    #expect(try store.responses(after: position).isEmpty)
    let foreign = ResponsePosition(number: position.number + 1)
    #expect(try ids(store.responses(after: foreign)) == [id(1), id(2)])
    #expect(ResponsePosition.beginning < position && position < foreign)
  }

  @Test func `responses of a store that was made again are after all positions of the one before`() throws {
    try dismiss(1...3)
    let position = try #require(try store.responses().last).position
    try FileManager.default.removeItem(atPath: store.directory.path)
    desktop.clock.advance(by: .seconds(10))
    try dismiss(4...9)
    let again = try NotificationStore(store.directory, clock: store.clock)
    #expect(try ids(again.responses(after: position)) == (4...9).map(id))
  }

  @Test(arguments: ["'answered', NULL, 0", "'dismissed', NULL, 0"])
  func `an unreadable response is damage`(values: String) throws {
    try dismiss(1...1)
    let open = try store.reopened()
    try open.database.run(
      """
      INSERT INTO response (request, entry, entry_added_at, occurrence, choice, activation_token, responded_at,
        responded_boot, boot_id)
      VALUES ('[]', 1, 0, 0, \(values), 0, '')
      """)
    #expect(throws: StoreError.self) { try Ledger(database: open.database).responses(after: .beginning) }
    // The store is replaced, and its readable rows are taken over.
    #expect(try ids(store.responses()) == [id(1)])
    #expect(try store.delivered().count == 1)
  }

  @Test func `a store that takes the place of a damaged one has all requests and responses`() throws {
    try dismiss(1...4)
    try end(keeping: 2)
    try dismiss(5...5)
    _ = try store.add(NotificationRequest(id(6), "Tea", trigger: .daily(8)))
    let entries = try store.entries()
    let position = try store.responses()[0].position
    // The report of the scheduler is unreadable, the notifications are not.
    try Database(path: store.directory.databasePath).execute(
      "ALTER TABLE agent_report RENAME COLUMN desktop TO desk")
    #expect(try store.desktop() == .unknown)
    #expect(try store.entries() == entries)
    #expect(try store.pending().map(\.request.identifier) == [id(6)])
    #expect(try ids(store.responses()) == (1...5).map(id))
    try dismiss(7...7)
    #expect(try ids(store.responses(after: position)) == [2, 3, 4, 5, 7].map(id))
  }

  @Test func `a reader whose last responses are lost to damage gets none of the others again`() throws {
    try dismiss(1...5)
    let open = try store.reopened()
    let last = try #require(try store.responses().last).position
    try open.changeLedger { ledger throws(StoreError) in
      try ledger.advance(reader: "a", to: last, at: open.clock.now())
    }
    let database = try Database(path: store.directory.databasePath)
    try database.execute(
      """
      DELETE FROM response WHERE number > (SELECT number FROM response ORDER BY number LIMIT 1 OFFSET 2);
      ALTER TABLE agent_report RENAME COLUMN desktop TO desk;
      """)
    // The damage is found.
    _ = try store.desktop()
    #expect(try ids(store.responses()) == (1...3).map(id))
    let position = try OpenStore(in: store.directory, clock: store.clock, parts: [NotificationTables()])
      .ledger.position(ofReader: "a")
    #expect(try store.responses(after: position).isEmpty)
    try dismiss(6...6)
    #expect(try ids(store.responses(after: position)) == [id(6)])
  }
}
