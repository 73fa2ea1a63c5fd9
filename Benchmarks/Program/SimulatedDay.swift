import CSequenceLinux
import Foundation
import Glibc
import NotifierLedger
import NotifierDelivery
import SequenceNotifications
import SequenceRunner
import SequenceStore
import TestSupport

/// The memory growth of the agent's store and decisions over a simulated day of one-second steps.
enum SimulatedDay: Benchmark {
  static let name = "day"
  private static let hours = 24

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    // In memory, because the cost of the disk is not measured here.
    let path = "/dev/shm/sequence-benchmark-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let clock = ManualClock()
    let store = try RunStore.withNotifications(in: StateDirectory(path: path), clock: clock)
    let card = Card(id: UUID(), title: "Work", timing: .countdown(.seconds(1), advance: .automatic))
    let group = Group(rounds: .times(hours * 3600), elements: [.card(card)])
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Day", elements: [.group(group)], onSuspend: nil, onLock: nil)))
    let desktop = ImaginedDesktop(store, clock)
    try desktop.spend(.seconds(3600))
    let before = try usage()
    try desktop.spend(.seconds((hours - 1) * 3600))
    guard desktop.shown == hours * 3600 else { throw BenchmarkError("\(desktop.shown) were shown") }
    let goal = Row.Goal.limit(.kibibytes(1024))
    let what = "a day of steps of 1 s: growth after an hour"
    let after = try usage()
    try report(Row("\(what), Rss", .kibibytes(after.resident - before.resident), goal: goal))
    try report(Row("\(what), allocated", .kibibytes(after.allocated - before.allocated), goal: goal))
  }

  /// Returns the resident memory of this program and the allocated part, in KiB.
  private static func usage() throws -> (resident: Int, allocated: Int) {
    // Freed memory would otherwise stay resident and hide the growth.
    malloc_trim(0)
    let heap = mallinfo2()
    return (try ProcessMemory(of: getpid()).resident, Int(heap.uordblks + heap.hblkhd) / 1024)
  }
}

/// A simulated desktop without failures, which answers a courier and lets time pass.
private final class ImaginedDesktop {
  private let notifications: RunNotifications
  private let courier: Courier
  private let store: RunStore
  private let clock: ManualClock
  private(set) var shown = 0
  private let server = NotificationServer(
    epoch: ServerEpoch(busID: "bus", owner: ":1.1"), name: "imagined", version: "1", capabilities: [])

  init(_ store: RunStore, _ clock: ManualClock) {
    notifications = RunNotifications(store: store, onFailure: { _ in })
    courier = notifications.courier(process: getpid())
    (self.store, self.clock) = (store, clock)
  }

  private func beginTurn() throws -> Turn {
    let status = try store.settle()
    return Turn(reading: status.reading, presenter: notifications.presenter(status))
  }

  func spend(_ time: Duration) throws {
    let end = clock.now().boot + time
    while true {
      while let order = try courier.advance(at: beginTurn()) {
        try courier.receive(answer(to: order), at: beginTurn())
      }
      guard try !courier.hasNothingToWaitFor(), let wake = try courier.nextWake(), wake <= end else { break }
      clock.advance(by: wake - clock.now().boot)
    }
    clock.advance(by: max(.zero, end - clock.now().boot))
  }

  private func answer(to order: DesktopOrder) throws -> DesktopEvent {
    switch order {
    case .probe, .startServer: return .serverAvailable(server)
    case .callOff(let entry): return .notShown(entry: entry, .calledOff)
    case .show(let entry, _, let notification):
      shown += 1
      return .shown(entry: entry, notification)
    case .close(let entry, _): return .closed(entry: entry)
    case .status: throw BenchmarkError("a courier does not look")
    }
  }
}
