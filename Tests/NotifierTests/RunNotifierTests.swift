import Foundation
import NotifierTesting
import SequenceNotifications
import SequencePlanning
import SequenceStore
import TestSupport
import Testing

/// Notifications of runs in the process of a program.
@Suite(.timeLimit(.minutes(1)))
struct RunNotifierTests {
  private let desktop = TestDesktop()
  private let store: RunStore
  private let application = NotifyingApplication(name: "Tea", desktopEntry: "tea", icon: "appointment-soon")

  init() throws {
    store = try RunStore.withNotifications(in: desktop.directory("tea"), clock: desktop.clock)
  }

  private func notifier(
    in directory: StateDirectory? = nil, keepsAwake: Bool = false,
    adapt: (@Sendable (RunNotification) -> NotificationRequest)? = nil
  ) throws -> RunNotifier {
    try RunNotifier(
      in: directory ?? store.directory, application: application, through: .test(desktop),
      keepsAwake: keepsAwake,
      adapt: adapt,
      onFailure: { Issue.record($0) })
  }

  private func start(_ store: RunStore? = nil) throws {
    let tea = SequenceDefinition("Tea") {
      Card("Pour", .countdown(.seconds(10)))
      Card("Steep", .countdown(.seconds(20)))
      Card("Drink", .countUp())
    }
    _ = try (store ?? self.store).start(Timeline(tea))
  }

  private var onScreen: [String] { desktop.onScreen.map(\.summary) }

  @Test func `a notification shows the picture of its step, and otherwise has the style of its kind`()
    async throws
  {
    let notifier = try notifier()
    let tea = SequenceDefinition("Tea") {
      Card("Pour", .countdown(.seconds(10)))
      Card("Steep", .countdown(.seconds(20)), image: "/tea.png")
      Card("Drink", .countUp())
    }
    _ = try store.start(Timeline(tea))
    await desktop.advance(by: .seconds(10))
    let style = NotificationStyle(category: "x-sequence.step", sound: "message-new-instant")
    var picture = style
    picture.image = "/tea.png"
    #expect(desktop.onScreen.map(\.style) == [picture])
    await desktop.advance(by: .seconds(20))
    #expect(desktop.onScreen.map(\.style) == [style])
    await notifier.shutdown()
  }

  @Test func `a program changes the style of a notification, and keeps the rest of it`() async throws {
    let notifier = try notifier(adapt: { notification in
      var request = notification.request
      request.summary = "Now: " + request.summary
      request.style.urgency = .low
      return request
    })
    try start()
    await desktop.advance(by: .seconds(10))
    #expect(onScreen == ["Now: Steep, 20s"])
    #expect(
      desktop.onScreen.map(\.style) == [
        NotificationStyle(urgency: .low, category: "x-sequence.step", sound: "message-new-instant")
      ])
    await notifier.shutdown()
  }

  @Test func `the steps of a run are announced at their times`() async throws {
    let notifier = try notifier()
    try start()
    await desktop.advance(by: .seconds(9))
    #expect(onScreen == [])
    await desktop.advance(by: .seconds(1))
    #expect(onScreen == ["Steep, 20s"])
    await desktop.advance(by: .seconds(20))
    #expect(onScreen == ["Drink"])
    guard case .available = try notifier.desktop() else {
      Issue.record("the server is not known")
      return
    }
    await desktop.stopServer()
    #expect(try notifier.desktop() == .unavailable(reason: NotificationReason("no-server")))
    await desktop.startServer()
    _ = try store.perform(.next)
    await desktop.finishDueWork()
    #expect(try store.history().map(\.outcome) == [.finished])
    await notifier.shutdown()
  }

  @Test func `a locked screen pauses a run that wants it, and asks when it is unlocked`() async throws {
    let notifier = try notifier()
    let reading = SequenceDefinition("Reading", onLock: .ask) { Card("Read", .countdown(.seconds(600))) }
    _ = try store.start(Timeline(reading))
    await desktop.finishDueWork()
    await desktop.setScreenLocked(true)
    await desktop.advance(by: .seconds(90))
    #expect(onScreen == [])
    await desktop.setScreenLocked(false)
    #expect(onScreen == ["Read is paused. Count that time?"])
    try await desktop.press("count", on: try #require(desktop.onScreen.first).identifier)
    #expect(try store.status().position?.elapsed == .seconds(90))
    await notifier.shutdown()
  }

  /// How the user shows that they know that the time is up.
  enum Answer: CaseIterable { case dismissal, pauseAndResume }

  @Test(arguments: Answer.allCases)
  func `a card that insists is repeated until the user reacts`(answer: Answer) async throws {
    let notifier = try notifier()
    let tea = SequenceDefinition("Tea") {
      Card("Steep", .countdown(.seconds(20), advance: .manual), insist: .seconds(60))
    }
    _ = try store.start(Timeline(tea))
    await desktop.advance(by: .seconds(20))
    #expect(onScreen == ["Steep: time is up"])
    await desktop.advance(by: .seconds(60))
    #expect(onScreen == ["Steep: 1m over"])
    await desktop.advance(by: .seconds(120))
    #expect(onScreen == ["Steep: 3m over"])
    switch answer {
    case .dismissal: try await desktop.dismiss(try #require(desktop.onScreen.first).identifier)
    case .pauseAndResume:
      try store.perform(.pause)
      try store.perform(.resume())
    }
    await desktop.advance(by: .seconds(3600))
    #expect(onScreen == [])
    #expect(try store.status().position?.overtime == .seconds(180 + 3600))
    // More time is a new deadline.
    try store.perform(.extend(.seconds(30)))
    await desktop.advance(by: .seconds(30))
    #expect(onScreen == ["Steep: time is up"])
    await desktop.advance(by: .seconds(60))
    #expect(onScreen == ["Steep: 1m over"])
    // It gives up in the end.
    await desktop.advance(by: .seconds(60 * 60))
    #expect(onScreen == ["Steep: 30m over"])
    await notifier.shutdown()
  }

  @Test func `runs and reminders live in one program for a week`() async throws {
    let reminders = try desktop.openStore("pills")
    let pill = NotificationIdentifier("pill")
    _ = try reminders.add(
      NotificationRequest(
        pill, "Pill", actions: [NotificationAction(key: "taken", title: "Taken")],
        trigger: .every(.seconds(86_400))))
    let scheduler = try NotificationScheduler(reminders, on: desktop)
    let notifier = try notifier()
    var responses = scheduler.responses().makeAsyncIterator()
    let begin = desktop.clock.now().wall.date
    for day in 1...7 {
      // A run during the time of a reminder.
      await desktop.advance(to: begin + Double(day) * 86_400 - 5)
      try start()
      await desktop.advance(by: .seconds(5))
      #expect(onScreen == ["Pill"], "day \(day)")
      await desktop.advance(by: .seconds(5))
      #expect(onScreen == ["Pill", "Steep, 20s"], "day \(day)")
      if day == 3 { await desktop.restartServer() }
      if day == 5 { await desktop.suspend(for: .seconds(1)) }
      try await desktop.press("taken", on: pill)
      #expect(await responses.next()?.request.identifier == pill)
      let steep = try #require(desktop.onScreen.first { $0.summary.hasPrefix("Steep") })
      try await desktop.press("pause", on: steep.identifier)
      #expect(try store.status().run?.isPaused == true)
      _ = try store.perform(.stop)
      await desktop.finishDueWork()
      #expect(onScreen == [])
    }
    #expect(try reminders.responses().count == 7)
    #expect(try store.history().count == 7)
    await scheduler.shutdown()
    try start()
    await desktop.advance(by: .seconds(10))
    #expect(onScreen == ["Steep, 20s"])
    await notifier.shutdown()
  }

  @Test func `the reminders of a program have no place in a directory of runs`() async throws {
    let path = store.directory.path
    #expect(throws: SchedulerError.directoryOfRuns(path)) {
      try NotificationStore(store.directory, clock: desktop.clock)
    }
    // Runs that come into a directory later, which only a mistake brings there.
    let directory = try desktop.directory("later")
    let reminders = try NotificationStore(directory, clock: desktop.clock)
    try FileManager.default.removeItem(atPath: directory.path)
    _ = try RunStore.withNotifications(in: directory, clock: desktop.clock)
    let pills = NotificationRequest(NotificationIdentifier("pills"), "Pills", trigger: .daily(8))
    #expect(throws: SchedulerError.directoryOfRuns(directory.path)) { _ = try reminders.add(pills) }
  }

  @Test func `runs are not announced from the directory of a program's reminders`() async throws {
    let reminders = try desktop.openStore("pills")
    let pills = NotificationRequest(NotificationIdentifier("pills"), "Pills", trigger: .after(.seconds(60)))
    _ = try reminders.add(pills)
    let error = #expect(throws: SchedulerError.directoryOfProgram(reminders.directory.path)) {
      try notifier(in: reminders.directory)
    }
    #expect(
      error?.description
        == "\(reminders.directory.path) has notifications that belong to no run; use another directory for runs"
    )
    #expect(throws: SchedulerError.self) {
      try RunStore.withNotifications(in: reminders.directory, clock: desktop.clock)
    }
    #expect(try reminders.pending().map(\.request) == [pills])
  }

  @Test func `a store without notifications refuses a directory with them, at once and later`() throws {
    let directory = try desktop.directory("later")
    let plain = try RunStore(in: directory, clock: desktop.clock)
    try start(plain)
    let planning = try RunStore.withNotifications(in: directory, clock: desktop.clock)
    let error = #expect(throws: StoreError.self) { try plain.perform(.pause) }
    #expect(
      error?.description
        == "\(directory.databasePath) has notifications, which follow its runs; "
        + "open it with RunStore.withNotifications(in:) or RunNotifier(in:)")
    #expect(throws: StoreError.self) { try RunStore(in: directory, clock: desktop.clock) }
    #expect(try planning.status().run?.isPaused == false)
    let reading = try #require(try RunStore(inspecting: directory, clock: desktop.clock))
    #expect(try reading.status().run?.isPaused == false)
  }

  @Test func `a damaged table of versions doesn't hide the notifications from a store without them`() throws {
    try start()
    let path = store.directory.databasePath
    try Database(path: path).execute("UPDATE component SET version = 0")
    let error = #expect(throws: StoreError.self) {
      try RunStore(in: store.directory, clock: desktop.clock)
    }
    #expect(error?.description.hasSuffix("RunNotifier(in:)") == true)
    let repaired = try RunStore.withNotifications(in: store.directory, clock: desktop.clock)
    #expect(try repaired.ledger.entries(in: .everything).contains { $0.state == .pending })
    #expect(repaired.notices.count == 1)
  }

  @Test func `a store of runs refuses the reminders of a program, or reads it as one without runs`() throws {
    let reminders = try desktop.openStore("pills").directory
    let error = #expect(throws: StoreError.self) { try RunStore(in: reminders, clock: desktop.clock) }
    #expect(
      error?.description
        == "\(reminders.databasePath) has notifications that belong to no run; use another directory for runs"
    )
    let reading = try #require(try RunStore(inspecting: reminders, clock: desktop.clock))
    #expect(try reading.status().run == nil)
    #expect(try reading.history().isEmpty)
    #expect(try reading.historySummaries().isEmpty)
    #expect(try reading.endedRun(id: UUID()) == nil)
    #expect(try reading.endedRunIDs(beginningWith: "A").isEmpty)
    #expect(try reading.lastRuns(5).isEmpty)
    #expect(try reading.eventPosition() == .beginning)
    #expect(try reading.pastEvents(after: .beginning).runs.isEmpty)
  }

  @Test func `a run without notifications gets them from the first store that has some`() async throws {
    try start()
    let expected = try store.ledger.entries(in: .everything).map(\.request.summary)
    let directory = try desktop.directory("plain")
    try start(try RunStore(in: directory, clock: desktop.clock))
    let notifier = try notifier(in: directory)
    #expect(try notifier.store.ledger.entries(in: .everything).map(\.request.summary) == expected)
    await desktop.advance(by: .seconds(10))
    #expect(onScreen == ["Steep, 20s"])
    await notifier.shutdown()
  }

  @Test func `a notifier that is shut down at once announces what is due before`() async throws {
    try start()
    desktop.clock.advance(by: .seconds(12))
    try await notifier().shutdown()
    #expect(onScreen == ["Steep, 20s"])
  }

  @Test func `a button changes the run`() async throws {
    let notifier = try notifier()
    try start()
    await desktop.advance(by: .seconds(10))
    let shown = try #require(desktop.onScreen.first)
    try await desktop.press("pause", on: shown.identifier)
    #expect(try store.status().run?.isPaused == true)
    await desktop.advance(by: .seconds(3600))
    #expect(try store.status().run?.card.title == "Steep")
    _ = try store.perform(.resume())
    await desktop.advance(by: .seconds(20))
    #expect(onScreen == ["Drink"])
    await notifier.shutdown()
  }

  @Test func `a notification has the texts of the program`() async throws {
    let notifier = try notifier { notification in
      var request = notification.request
      request.summary = "Jetzt: \(notification.step?.card.title ?? notification.run.sequence.title)"
      request.actions = request.actions.map { NotificationAction(key: $0.key, title: "[\($0.key)]") }
      return request
    }
    try start()
    await desktop.advance(by: .seconds(10))
    #expect(onScreen == ["Jetzt: Steep"])
    let shown = try #require(desktop.onScreen.first)
    #expect(shown.actions.map(\.title) == ["[pause]", "[skip]", "[extend]"])
    try await desktop.press("skip", on: shown.identifier)
    #expect(try store.status().run?.card.title == "Drink")
    await notifier.shutdown()
  }

  @Test func `a directory has one notifier, and the next one continues`() async throws {
    let first = try notifier()
    #expect(throws: SchedulerError.self) { try notifier() }
    try start()
    await desktop.advance(by: .seconds(5))
    await first.shutdown()
    await desktop.advance(by: .seconds(5))
    #expect(onScreen == [])
    let second = try notifier()
    await desktop.finishDueWork()
    #expect(onScreen == ["Steep, 20s"])
    await second.shutdown()
  }

  @Test func `a notifier opens its store with the clock of the desktop`() async throws {
    let notifier = try notifier(in: desktop.directory("other"))
    #expect(notifier.store.clock as? ManualClock === desktop.clock)
    try start(notifier.store)
    await desktop.advance(by: .seconds(10))
    #expect(onScreen == ["Steep, 20s"])
    await notifier.shutdown()
  }

  /// Nothing asks the logind of the machine: the failure of that would be recorded.
  @Test(arguments: [SuspendPolicy.continue, .pause, .ask])
  func `a suspend pauses a run whose policy asks for that`(policy: SuspendPolicy) async throws {
    let notifier = try notifier(keepsAwake: true)
    let tea = SequenceDefinition("Tea", onSuspend: policy) {
      Card("Steep", .countdown(.seconds(100)))
      Card("Drink", .countUp())
    }
    try store.start(Timeline(tea))
    await desktop.advance(by: .seconds(10))
    #expect(desktop.isKeptAwake)
    await desktop.suspend(for: .seconds(60))
    #expect(try store.status().run?.isPaused == (policy != .continue))
    #expect(desktop.isKeptAwake == (policy == .continue))
    if policy == .ask {
      let shown = try #require(desktop.onScreen.first)
      try await desktop.press("count", on: shown.identifier)
    } else if policy == .pause {
      try store.perform(.resume())
      await desktop.finishDueWork()
    }
    #expect(try store.status().position?.elapsed == .seconds(policy == .pause ? 10 : 70))
    #expect(desktop.isKeptAwake)
    await desktop.advance(by: .seconds(100))
    #expect(!desktop.isKeptAwake)
    // Without a run, the notifier does not listen.
    try store.perform(.stop)
    await desktop.suspend(for: .seconds(60))
    await notifier.shutdown()
  }

  @Test func `a notifier outlasts a pause`() async throws {
    let notifier = try notifier()
    try start()
    _ = try store.perform(.pause)
    await desktop.advance(by: .seconds(3600))
    #expect(onScreen == [])
    _ = try store.perform(.resume())
    await desktop.advance(by: .seconds(10))
    #expect(onScreen == ["Steep, 20s"])
    await notifier.shutdown()
  }

  @Test func `a process has any number of notifiers on test desktops`() async throws {
    var notifiers: [RunNotifier] = []
    var stores: [RunStore] = []
    for number in 0..<20 {
      let notifier = try notifier(in: desktop.directory("\(number)"))
      notifiers.append(notifier)
      try start(notifier.store)
      stores.append(notifier.store)
    }
    await desktop.advance(by: .seconds(10))
    #expect(onScreen.count == 20)
    for store in stores { _ = try store.perform(.stop) }
    await desktop.finishDueWork()
    #expect(onScreen == [])
    for notifier in notifiers { await notifier.shutdown() }
  }

  @Test func `a missed step is told when the program is back`() async throws {
    try start()
    await desktop.advance(by: .seconds(25))
    let notifier = try notifier()
    await desktop.advance(by: .seconds(5))
    #expect(onScreen == ["Drink"])
    await notifier.shutdown()
  }
}
