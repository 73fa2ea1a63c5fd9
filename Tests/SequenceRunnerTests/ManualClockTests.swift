import Glibc
import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The clock of tests, and what waits for it.
@Suite(.timeLimit(.minutes(1)))
struct ManualClockTests {
  private let clock = ManualClock(wall: Moment(microseconds: 0), boot: .seconds(100), bootID: "a")

  /// The descriptors that are readable now.
  private func readable(_ descriptors: Int32...) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&entries, nfds_t(entries.count), 0)
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }

  @Test func `all clocks move together, and steps below a microsecond add up`() {
    for _ in 0..<2000 { clock.advance(by: .nanoseconds(500)) }
    #expect(
      clock.now()
        == ClockReading(wall: Moment(microseconds: 1000), boot: .seconds(100) + .milliseconds(1), bootID: "a")
    )
    clock.setWall(by: .seconds(-1))
    #expect(clock.now().wall == Moment(microseconds: -999_000))
    clock.reboot(after: .seconds(2))
    #expect(
      clock.now() == ClockReading(wall: Moment(microseconds: 1_001_000), boot: .seconds(5), bootID: "a+"))
  }

  @Test func `a timer fires once the clock shows its time`() throws {
    let timer = try clock.makeTimer()
    try timer.arm(.seconds(101))
    #expect(clock.nextDeadline == .seconds(101))
    clock.advance(by: .milliseconds(999))
    #expect(readable(timer.descriptor).isEmpty)
    clock.advance(by: .milliseconds(1))
    #expect(readable(timer.descriptor) == [timer.descriptor])
    #expect(clock.nextDeadline == nil)
    try timer.acknowledge()
    #expect(readable(timer.descriptor).isEmpty)
    try timer.arm(.seconds(101))
    #expect(readable(timer.descriptor) == [timer.descriptor])
    try timer.arm(nil)
    #expect(readable(timer.descriptor).isEmpty)
  }

  @Test func `a task sleeps until the clock shows its time`() async throws {
    try await clock.sleep(until: clock.now)
    let task = Task.immediate { [clock] in try await clock.sleep(for: .seconds(5)) }
    #expect(clock.nextDeadline == .seconds(105))
    clock.advance(by: .seconds(5))
    try await task.value
    #expect(clock.nextDeadline == nil)
    #expect(clock.now == ManualClock.Instant(boot: .seconds(105)))
  }

  @Test func `a task that is cancelled doesn't sleep`() async throws {
    let task = Task.immediate { [clock] in try await clock.sleep(for: .seconds(5)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.nextDeadline == nil)
    let late = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(5))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `a timer that is gone is forgotten`() throws {
    do {
      let timer = try clock.makeTimer()
      try timer.arm(.seconds(101))
    }
    #expect(clock.nextDeadline == nil)
    clock.advance(by: .seconds(10))
  }

  @Test func `setting the clock or the time zone is reported, and passing time isn't`() throws {
    let watch = try clock.makeSetWatch()
    clock.advance(by: .seconds(10))
    #expect(readable(watch.descriptor).isEmpty)
    for _ in 0..<2 {
      clock.setWall(by: .seconds(1))
      #expect(readable(watch.descriptor) == [watch.descriptor])
      try watch.acknowledge()
      #expect(readable(watch.descriptor).isEmpty)
    }
    clock.timeZone = "Europe/Berlin"
    #expect(readable(watch.descriptor) == [watch.descriptor])
  }

  @Test func `a store with the clock reports its changes, and waits by the clock`() throws {
    let directory = try TemporaryDirectory()
    func store() throws -> RunStore {
      try RunStore(in: StateDirectory(path: directory.path), clock: clock)
    }
    let (one, other) = (try store(), try store())
    let waiter = try StoreWaiter(one.base)
    #expect(readable(contentsOf: try waiter.prepare(until: .seconds(200))).isEmpty)
    _ = try other.start(CardSpec.sequence(cards: ["Tea 5m"]))
    let ready = readable(contentsOf: try waiter.prepare(until: .seconds(200)))
    #expect(ready.count == 1)
    try waiter.acknowledge(ready)
    #expect(readable(contentsOf: try waiter.prepare(until: .seconds(200))).isEmpty)
    clock.advance(by: .seconds(100))
    #expect(readable(contentsOf: try waiter.prepare(until: .seconds(200))).count == 1)
  }

  @Test func `the stream of a run follows the clock`() async throws {
    let directory = try TemporaryDirectory()
    let store = try RunStore(in: StateDirectory(path: directory.path), clock: clock)
    _ = try store.start(CardSpec.sequence(cards: ["Work 20s", "Rest 10s"]))
    var statuses = store.statuses().makeAsyncIterator()
    #expect(try await statuses.next()?.position?.step.card.title == "Work")
    clock.advance(by: .seconds(20))
    #expect(try await statuses.next()?.position?.step.card.title == "Rest")
  }

  private func readable(contentsOf descriptors: [Int32]) -> [Int32] {
    descriptors.flatMap { readable($0) }
  }
}
