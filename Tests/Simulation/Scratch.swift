import Foundation
import NotificationLedger
import SequenceRunner

/// A state directory, in memory where that can be, with the stores that processes have of it.
///
/// It serves one life after the other, since making a database takes longer than a life.
package final class Scratch {
  let directory: StateDirectory
  let clock = SimulatedClock()
  /// A store for each process that gives commands.
  let processes: [RunStore]
  /// The store of the agent.
  let agent: RunStore

  package init() throws {
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    directory = StateDirectory(path: memory + "/sequence-simulation-\(UUID().uuidString)")
    let (directory, clock) = (directory, clock)
    processes = try (0..<3).map { _ in try RunStore.withNotifications(in: directory, clock: clock) }
    agent = try RunStore.withNotifications(in: directory, clock: clock)
  }

  deinit {
    // What is left of it in memory would stay until the machine is restarted; nobody can act on a failure.
    try? FileManager.default.removeItem(atPath: directory.path)
  }

  /// Forgets the life before.
  func reset() throws {
    clock.reset()
    try agent.database.transaction {
      try agent.database.run("DELETE FROM notification")
      try agent.database.run("DELETE FROM history")
      try agent.database.run("DELETE FROM agent_report")
      try agent.database.run(
        "UPDATE active_run SET revision = revision + 1, snapshot = NULL, checksum = NULL")
    }
  }
}
