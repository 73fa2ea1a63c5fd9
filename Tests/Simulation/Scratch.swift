import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequencePlanning
import SequenceRunner
import SequenceStore

/// A state directory with the stores that processes have opened.
///
/// It is used for one scenario after another, because creating a database takes longer than a scenario.
package final class Scratch {
  /// Removed with this object.
  private let place: ScratchDirectory
  let directory: StateDirectory
  let clock = ManualClock()
  /// A store for each process that gives commands.
  private(set) var processes: [RunStore]
  private(set) var agent: RunStore
  private var horizon = 64
  /// The readings of the clocks at the beginning of a scenario.
  private static let first = ClockReading(
    wall: Moment(microseconds: 1_790_000_000_000_000), boot: .nanoseconds(1_000_000_000_456),
    bootID: "boot 0")

  package init() throws {
    place = try ScratchDirectory()
    directory = StateDirectory(path: place.path)
    clock.set(to: Scratch.first)
    let (directory, clock) = (directory, clock)
    processes = try (0..<3).map { _ in try CompleteStore.open(in: directory, clock: clock) }
    agent = try CompleteStore.open(in: directory, clock: clock)
  }

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
      func open() throws -> RunStore {
        let store = try CompleteStore.open(
          in: directory, clock: clock, horizon: PlanningHorizon(horizon))
        store.listedSteps = horizon
        return store
      }
      processes = try (0..<3).map { _ in try open() }
      agent = try open()
      self.horizon = horizon
    }
    try agent.database.transaction { () throws(StoreError) in
      for table in [
        "notification", "planning_mark", "cleared_scope", "agent_report", "active_run", "journal", "history",
        "reader", "hook_failure",
      ] {
        try agent.database.run("DELETE FROM \(table)")
      }
      try agent.database.run("UPDATE store SET revision = revision + 1")
    }
  }
}
