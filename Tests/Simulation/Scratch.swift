import Foundation
import Glibc
import NotificationLedger
import Platform
import SequenceConfiguration
import SequencePlanning
import SequenceRunner
import Store

/// A state directory, in memory if possible, with the stores that processes have opened.
///
/// It is used for one scenario after another, because creating a database takes longer than a scenario.
package final class Scratch {
  let directory: StateDirectory
  let clock = ManualClock()
  /// A store for each process that gives commands.
  private(set) var processes: [OpenRunStore]
  /// The store of the agent.
  private(set) var agent: OpenRunStore
  private var horizon = 64
  /// What the clocks show at the beginning of a scenario.
  private static let first = ClockReading(
    wall: Moment(microseconds: 1_790_000_000_000_000), boot: .nanoseconds(1_000_000_000_456),
    bootID: "boot 0")

  package init() throws {
    try Scratch.removeAbandoned()
    directory = StateDirectory(path: "\(Scratch.place)/\(Scratch.prefix)\(getpid())-\(UUID().uuidString)")
    clock.set(to: Scratch.first)
    let (directory, clock) = (directory, clock)
    processes = try (0..<3).map { _ in try OpenRunStore.complete(in: directory, clock: clock) }
    agent = try OpenRunStore.complete(in: directory, clock: clock)
  }

  deinit {
    // The remaining files in memory would stay until a reboot; nobody can handle a failure.
    try? FileManager.default.removeItem(atPath: directory.path)
  }

  /// Removes the directories of killed processes; the name of a directory has the process id.
  package static func removeAbandoned() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: place) where name.hasPrefix(prefix) {
      guard let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      do {
        try FileManager.default.removeItem(atPath: "\(place)/\(name)")
      } catch CocoaError.fileNoSuchFile {
        // Another process was faster.
      }
    }
  }

  private static let prefix = "sequence-simulation-"
  private static let place =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  /// Removes the data of the previous scenario.
  ///
  /// The revision keeps counting, because processes compare it with the revision of their cached run.
  ///
  /// - Parameter horizon: how many notifications the next scenario plans ahead, and of how many steps in endless rounds
  ///   it lists the events, at least.
  func reset(_ horizon: Int) throws {
    clock.set(to: Scratch.first)
    if horizon != self.horizon {
      let (directory, clock) = (directory, clock)
      func open() throws -> OpenRunStore {
        let store = try OpenRunStore.complete(
          in: directory, clock: clock, horizon: PlanningHorizon(horizon))
        store.listedSteps = horizon
        return store
      }
      processes = try (0..<3).map { _ in try open() }
      agent = try open()
      self.horizon = horizon
    }
    try agent.database.transaction {
      try agent.database.run("DELETE FROM notification")
      try agent.database.run("DELETE FROM planning_mark")
      try agent.database.run("DELETE FROM cleared_scope")
      try agent.database.run("DELETE FROM history")
      try agent.database.run("DELETE FROM agent_report")
      for table in ["journal", "activity", "dispatched", "hook_failure"] {
        try agent.database.run("DELETE FROM \(table)")
      }
      try agent.database.run(
        "UPDATE active_run SET revision = revision + 1, snapshot = NULL, checksum = NULL")
    }
  }
}
