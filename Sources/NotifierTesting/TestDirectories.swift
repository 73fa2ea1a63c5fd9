import FoundationEssentials
import Glibc
import SequencePlatform

/// The directories of the stores of this process's test desktops.
///
/// They are in memory if possible, because the store of a test need not survive a power cut. A process locks its
/// directory. Directories without a lock belong to killed processes; the next process removes them.
final class TestDirectories: Sendable {
  static let ofProcess = Result { () throws(SystemError) in try TestDirectories() }

  let path: String
  private let lock: FileLock

  static let place =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  private static let prefix = "notifier-tests-"
  /// How old a directory without a lock must be before it counts as abandoned; its process may be about to lock it.
  private static let leastAge: TimeInterval = 60

  private init() throws(SystemError) {
    path = "\(TestDirectories.place)/\(TestDirectories.prefix)\(UUID().uuidString)"
    try makeDirectory(path)
    lock = try FileLock(path: TestDirectories.lockPath(path))
    // No other process knows the directory.
    _ = try lock.take()
    try TestDirectories.removeAbandoned()
  }

  private static func lockPath(_ path: String) -> String { path + "/lock" }

  private static func removeAbandoned() throws(SystemError) {
    for name in try fileNames(inDirectory: place) where name.hasPrefix(prefix) {
      do {
        try removeIfAbandoned("\(place)/\(name)")
      } catch {
        // It belongs to another user, or another process removes it at the same time.
      }
    }
  }

  private static func removeIfAbandoned(_ path: String) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let date = attributes[.modificationDate] as? Date, -date.timeIntervalSinceNow > leastAge,
      try FileLock(path: lockPath(path)).take()
    else { return }
    try FileManager.default.removeItem(atPath: path)
  }
}
