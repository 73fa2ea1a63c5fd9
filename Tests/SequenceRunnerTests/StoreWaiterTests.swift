import Glibc
import Platform
import SequenceFiles
import SequenceRunner
import Store
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
    store = try RunStore(directory: StateDirectory(path: directory.path), clock: clock)
    other = try RunStore(directory: StateDirectory(path: directory.path), clock: clock)
    waiter = try StoreWaiter(store.base)
  }

  @Test func `a change of another store ends the waiting, and can be read then`() throws {
    let descriptors = try waiter.prepare(until: nil)
    _ = try other.start(try CardSpec.sequence(cards: ["Tea 5m"]))
    let ready = try waitUntilReadable(descriptors)
    try waiter.settle(ready)
    #expect(try store.settle().run?.sequence.title == "Tea")
  }

  @Test func `a time ends the waiting`() throws {
    let descriptors = try waiter.prepare(until: clock.now().boot)
    let ready = try waitUntilReadable(descriptors)
    #expect(!ready.isEmpty)
    try waiter.settle(ready)
    #expect(StoreWaiterTests.readable(try waiter.prepare(until: nil)).isEmpty)
  }

  @Test func `nothing is readable while nothing happens`() throws {
    #expect(StoreWaiterTests.readable(try waiter.prepare(until: clock.now().boot + .seconds(3600))).isEmpty)
  }

  /// The descriptors that are readable now.
  private static func readable(_ descriptors: [Int32]) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&entries, nfds_t(entries.count), 0)
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }
}
