import NotifierTesting
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

/// A clock of a program, which the libraries don't know.
@Suite(.timeLimit(.minutes(1)))
struct ShiftedClockTests {
  @Test func `a scheduler waits for the clock of its store, and for nothing else`() async throws {
    let desktop = TestDesktop()
    let clock = ShiftedClock(desktop.clock)
    let store = try NotificationStore(desktop.directory("shifted"), clock: clock)
    let (tea, bread) = (NotificationIdentifier("tea"), NotificationIdentifier("bread"))
    _ = try store.add([
      NotificationRequest(tea, "Tea", trigger: .after(.seconds(60))),
      NotificationRequest(bread, "Bread", trigger: .at(clock.now().wall.advanced(by: .seconds(62)).date)),
    ])
    let scheduler = try NotificationScheduler(store, on: desktop)
    await desktop.advance(by: .seconds(59))
    #expect(desktop.shown.isEmpty)
    let before = clock.readings
    await desktop.advance(by: .seconds(1))
    #expect(desktop.onScreen.map(\.identifier) == [tea])
    // A loop that doesn't wait reads its clock all the time.
    #expect(clock.readings - before < 100)
    await desktop.advance(by: .seconds(2))
    #expect(desktop.onScreen.map(\.identifier) == [tea, bread])
    await scheduler.shutdown()
  }

  @Test func `a wait on the machine ends at the time of the clock, and not before`() throws {
    let directory = try TemporaryDirectory()
    let clock = ShiftedClock(try SystemClock())
    let store = try OpenStore(in: StateDirectory(path: directory.path), clock: clock, parts: [])
    let waiter = try StoreWaiter(store)
    let due = clock.now().boot + .milliseconds(20)
    var turns = 0
    while clock.now().boot < due {
      try waiter.wait(until: due)
      turns += 1
    }
    #expect(turns <= 2)
  }

  @Test func `a clock that stands still doesn't keep a loop busy`() throws {
    let clock = StandingClock()
    let timer = try clock.makeTimer()
    let start = SystemClock.sinceBoot()
    try timer.arm(clock.now().boot + .nanoseconds(1))
    _ = try waitUntilReadable([timer.descriptor])
    #expect(SystemClock.sinceBoot() - start >= .milliseconds(1))
  }
}

/// A clock that always shows the same time.
private struct StandingClock: ClockSource {
  func now() -> ClockReading {
    ClockReading(wall: Moment(microseconds: 0), boot: .seconds(1), bootID: "a")
  }
}
