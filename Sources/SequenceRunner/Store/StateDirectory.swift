import Glibc

/// The directory that holds all that Sequence remembers.
public struct StateDirectory: Hashable, Sendable {
  /// Where it is.
  public let path: String

  /// The directory at a path; it is made when a store is opened in it.
  public init(path: String) {
    self.path = path
  }

  /// The directory that the environment asks for.
  ///
  /// That is `$SEQUENCE_STATE_DIR`, else `$XDG_STATE_HOME/sequence`, else `~/.local/state/sequence`
  /// (XDG Base Directory Specification; relative paths in its variables are ignored, as it demands).
  ///
  /// - Returns: `nil` if not even `HOME` is set.
  public init?(environment: [String: String]) {
    if let path = environment["SEQUENCE_STATE_DIR"], !path.isEmpty {
      self.init(path: path)
    } else if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") {
      self.init(path: base + "/sequence")
    } else if let home = environment["HOME"], !home.isEmpty {
      self.init(path: home + "/.local/state/sequence")
    } else {
      return nil
    }
  }

  /// Whether there is a store in it, though it may not be one that can be used.
  package var hasStore: Bool { unsafe access(databasePath, F_OK) == 0 }

  package var databasePath: String { path + "/sequence.db" }
  package var storeLockPath: String { path + "/store.lock" }
  package var agentLockPath: String { path + "/agent.lock" }
  package var foregroundLockPath: String { path + "/foreground.lock" }
  package var agentLogPath: String { path + "/agent.log" }

  /// Makes the directory, with those above it, for its owner alone.
  package func make() throws(SystemError) { try makeDirectory(path) }
}
