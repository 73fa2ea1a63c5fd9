import Foundation
import NotifierLedger
import Notifier
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

/// A program that embeds the scheduler.
final class LibraryUser {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let directory: TemporaryDirectory
  private let scheduler: NotificationScheduler

  init() throws {
    bus = try PrivateBus()
    server = try RecordingServer(on: bus)
    directory = try TemporaryDirectory()
    // setenv fails only for invalid names or without memory.
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    let path = directory.path
    let application = NotifyingApplication(name: "benchmark", desktopEntry: "benchmark", icon: "")
    scheduler = try NotificationScheduler(
      NotificationStore(StateDirectory(path: path)), application: application,
      onFailure: { error in FileHandle.standardError.write(Data("scheduler: \(error)\n".utf8)) })
  }

  /// Schedules notifications, ten per card, at least a day from now; returns the time taken.
  func add(_ prefix: String, _ count: Int) throws -> Duration {
    let requests = (0..<count).map { index in
      NotificationRequest(
        NotificationIdentifier(prefix, "\(index / 10)", "\(index % 10)"), "Card \(index)",
        trigger: .after(.seconds(86_400 + index)))
    }
    return try timed { try scheduler.store.add(requests) }
  }

  func remove(_ scope: NotificationScope) throws -> Duration {
    try timed { try scheduler.store.remove(scope) }
  }

  func pendingCount(_ prefix: String) throws -> Int {
    try scheduler.store.pending(in: NotificationScope(prefix)).count
  }

  private func timed<Result>(_ body: () throws -> Result) rethrows -> Duration {
    let start = ContinuousClock.now
    _ = try body()
    return ContinuousClock.now - start
  }
}
