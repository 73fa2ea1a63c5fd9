import Glibc
import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Waiting for the store in a loop that polls by itself.
@Suite(.timeLimit(.minutes(1)))
struct StoreWaiterTests {
  private let directory: TemporaryDirectory
  private let store: RunStore
  private let other: RunStore
  private let waiter: StoreWaiter
  private let clock: SystemClock

  init() throws {
    directory = try TemporaryDirectory()
    clock = try SystemClock()
    store = try RunStore(in: StateDirectory(path: directory.path), clock: clock)
    other = try RunStore(in: StateDirectory(path: directory.path), clock: clock)
    waiter = try StoreWaiter(store.base)
  }

  @Test func `a change of another store ends the waiting, and can be read then`() throws {
    let descriptors = try waiter.prepare(until: nil)
    _ = try other.start(try CardSpec.sequence(cards: ["Tea 5m"]))
    let ready = try waitUntilReadable(descriptors)
    try waiter.acknowledge(ready)
    #expect(try store.settle().run?.sequence.title == "Tea")
  }

  @Test func `a change that was begun before the watch is waited for`() throws {
    // The last of a change is written to memory, which the kernel does not report: as if nothing more was written.
    try other.database.run("BEGIN IMMEDIATE")
    let late = try StoreWaiter(store.base)
    try other.database.run("ROLLBACK")
    let limit = try DeadlineTimer()
    try limit.arm(clock.now().boot + .seconds(20))
    let ready = try waitUntilReadable(try late.prepare(until: nil) + [limit.descriptor])
    #expect(!ready.contains(limit.descriptor))
    try late.acknowledge(ready)
    #expect(StoreWaiterTests.readable(try late.prepare(until: nil)).isEmpty)
  }

  /// Follows the store until a look asks for no other.
  private func follow(orAt limit: Duration? = nil, look: (RunStore) throws -> NextLook) throws {
    try followStore(clock, orAt: limit, retryInterval: .milliseconds(1)) {
      try RunStore(in: StateDirectory(path: directory.path), clock: clock)
    } base: {
      $0.base
    } look: {
      try look($0)
    }
  }

  @Test func `a failure that passes does not end the following of a store`() throws {
    var failures: [StoreError] = [
      .busy(path: "a"), .replaced(path: "a"), .inputOutput(path: "a", reason: "b"),
    ]
    try follow { _ in
      if let failure = failures.popLast() { throw failure }
      return .never
    }
    #expect(failures.isEmpty)
    #expect(throws: StoreError.foreign(path: "a")) {
      try follow { _ in throw StoreError.foreign(path: "a") }
    }
    try follow(orAt: SystemClock.sinceBoot() + .milliseconds(5)) { _ in throw StoreError.busy(path: "a") }
  }

  @Test func `a store is followed at the times that it asks for`() throws {
    var looks = 0
    try follow { _ in
      looks += 1
      return looks == 5 ? .never : .afterChange(orAt: SystemClock.sinceBoot() + .milliseconds(1))
    }
    #expect(looks == 5)
  }

  @Test func `a time ends the waiting`() throws {
    let descriptors = try waiter.prepare(until: clock.now().boot)
    let ready = try waitUntilReadable(descriptors)
    #expect(!ready.isEmpty)
    try waiter.acknowledge(ready)
    #expect(StoreWaiterTests.readable(try waiter.prepare(until: nil)).isEmpty)
  }

  @Test func `nothing is readable while nothing happens`() throws {
    #expect(StoreWaiterTests.readable(try waiter.prepare(until: clock.now().boot + .seconds(3600))).isEmpty)
  }

  private static func readable(_ descriptors: [Int32]) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&entries, nfds_t(entries.count), 0)
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }
}
