import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

final class ConfigurationFile {
  private let path: String
  private var known: (version: FileVersion, configuration: Configuration)?

  init(path: String) {
    self.path = path
  }

  func read() throws(SequenceFileError) -> Configuration {
    guard let version = FileVersion(path: path) else {
      known = nil
      // If the file is missing or inaccessible, reading it reports that.
      return try Configuration.read(path: path)
    }
    if let known, known.version == version { return known.configuration }
    var configuration = try Configuration.read(path: path)
    configuration.changedAt = version.lastChange
    known = (version, configuration)
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
