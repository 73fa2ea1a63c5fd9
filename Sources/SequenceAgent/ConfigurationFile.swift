import CSequenceLinux
import Glibc
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

final class ConfigurationFile {
  private let path: String
  private var known: (stamp: Stamp, configuration: Configuration)?

  init(path: String) {
    self.path = path
  }

  private struct Stamp: Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let changedAt: [Int]
    /// The last change of the file, or of its name.
    let lastChange: Moment

    init?(path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      changedAt = [
        status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
      ]
      lastChange = Moment(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
    }
  }

  func read() throws(SequenceFileError) -> Configuration {
    guard let stamp = Stamp(path: path) else {
      known = nil
      // If the file is missing or inaccessible, reading it reports that.
      return try Configuration.read(path: path)
    }
    if let known, known.stamp == stamp { return known.configuration }
    var configuration = try Configuration.read(path: path)
    configuration.changedAt = stamp.lastChange
    known = (stamp, configuration)
    return configuration
  }
}

/// Wakes the agent when the file of the configuration may have changed, because a new hook can be for the next event.
final class ConfigurationWatch {
  private let watch: DirectoryWatch

  /// `nil` if the directory of the file doesn't exist.
  ///
  /// - Throws: `SystemError` if the kernel's limit of watches is reached.
  init?(path: String) throws(SystemError) {
    let directory = String(path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)])
    guard FileKind(of: directory) == .directory else { return nil }
    watch = try DirectoryWatch(path: directory)
  }

  var descriptor: Int32 { watch.descriptor }

  func drain() throws(SystemError) { try watch.drain() }
}
