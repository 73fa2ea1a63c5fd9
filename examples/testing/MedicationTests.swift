import Foundation
import NotifierTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MedicationTests {
  private let desktop: TestDesktop
  private let medication: Medication

  /// The evening before the clocks are set forward in Berlin.
  init() throws {
    desktop = TestDesktop(
      clock: ManualClock(
        at: try Date("2026-03-28T20:00:00+01:00", strategy: .iso8601),
        in: try #require(TimeZone(identifier: "Europe/Berlin"))))
    medication = Medication(store: try desktop.openStore())
  }

  private func scheduler() throws -> NotificationScheduler {
    try NotificationScheduler(
      medication.store, application: Medication.application, through: .test(desktop),
      latestDelivery: .seconds(3600), onFailure: { Issue.record($0) })
  }

  @Test func `a snoozed reminder comes back after ten minutes`() async throws {
    let scheduler = try scheduler()
    var responses = scheduler.responses().makeAsyncIterator()
    try medication.remind(of: "Aspirin", .after(.seconds(60)))

    await desktop.advance(by: .seconds(59))
    #expect(desktop.onScreen.isEmpty)
    await desktop.advance(by: .seconds(1))
    #expect(desktop.onScreen.map(\.summary) == ["Aspirin"])

    try await desktop.press("snooze", on: NotificationIdentifier("med", "Aspirin"))
    #expect(desktop.onScreen.isEmpty)
    let response = try #require(await responses.next())
    try medication.answer(response)

    await desktop.advance(by: .seconds(600))
    #expect(desktop.onScreen.map(\.summary) == ["Aspirin"])
    #expect(try medication.store.delivered().map(\.occurrence) == [response.occurrence])
    await scheduler.shutdown()
  }

  @Test func `a task of the program snoozes a reminder`() async throws {
    let scheduler = try scheduler()
    async let answering: Void = medication.answer(scheduler.responses())
    try medication.remind(of: "Aspirin", .immediately)
    await desktop.finishDueWork()
    try await desktop.press("snooze", on: NotificationIdentifier("med", "Aspirin"))
    for try await entry in medication.store.changes(in: NotificationScope("med", "Aspirin")) {
      if entry.state == .pending { break }
    }
    await desktop.advance(by: .seconds(600))
    #expect(desktop.onScreen.map(\.summary) == ["Aspirin"])
    await scheduler.shutdown()
    try await answering
  }

  @Test func `a daily reminder keeps its local time when the clocks are set forward`() async throws {
    let scheduler = try scheduler()
    try medication.remind(of: "Aspirin", .daily(8))
    let morning = try Date("2026-03-29T08:00:00+02:00", strategy: .iso8601)
    await desktop.advance(to: morning)
    #expect(desktop.shown.map(\.shownAt) == [morning])
    await scheduler.shutdown()
  }

  @Test func `a reminder during a long suspend is missed, and the store knows why`() async throws {
    let scheduler = try scheduler()
    try medication.remind(of: "Aspirin", .after(.seconds(60)))
    await desktop.suspend(for: .seconds(2 * 3600))
    #expect(desktop.shown.isEmpty)
    let entry = try #require(try medication.store.entries().first)
    #expect(entry.state == .missed)
    #expect(entry.reason?.code == "late")
    await scheduler.shutdown()
  }

  @Test func `a reminder outlives the server and the program`() async throws {
    let first = try scheduler()
    try medication.remind(of: "Aspirin", .after(.seconds(60)))
    await desktop.stopServer()
    await desktop.advance(by: .seconds(120))
    #expect(desktop.onScreen.isEmpty)
    await desktop.startServer()
    #expect(desktop.onScreen.map(\.summary) == ["Aspirin"])
    await first.shutdown()

    let second = try scheduler()
    await desktop.finishDueWork()
    #expect(desktop.onScreen.map(\.isSilent) == [true])
    try await desktop.dismiss(NotificationIdentifier("med", "Aspirin"))
    #expect(try medication.store.entries().last?.response == .dismissed)
    await second.shutdown()
  }
}
