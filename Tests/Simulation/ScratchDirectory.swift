import Foundation
import Glibc

/// A directory for stores, in memory if possible; it is removed with this object.
package final class ScratchDirectory {
  /// The path of the directory, which the first store creates.
  let path: String

  init() throws {
    try ScratchDirectory.removeAbandoned()
    path = "\(ScratchDirectory.place)/\(ScratchDirectory.prefix)\(getpid())-\(UUID().uuidString)"
  }

  deinit {
    // A failure has no receiver, and the next process removes the rest.
    try? FileManager.default.removeItem(atPath: path)
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
}
