import Foundation
import Glibc
import NotificationLedger
import SequencePlanning
import SequenceRunner
import Store

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
    try Scratch.removeAbandoned()
    directory = StateDirectory(path: "\(Scratch.place)/\(Scratch.prefix)\(getpid())-\(UUID().uuidString)")
    let (directory, clock) = (directory, clock)
    processes = try (0..<3).map { _ in try RunStore.withNotifications(in: directory, clock: clock) }
    agent = try RunStore.withNotifications(in: directory, clock: clock)
  }

  deinit {
    // What is left of it in memory would stay until the machine is restarted; nobody can act on a failure.
    try? FileManager.default.removeItem(atPath: directory.path)
  }

  /// Removes what processes left that were killed; the name of a directory tells whose it is.
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

  /// Forgets the life before; the revision goes on, as by it each process knows what it has read.
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
