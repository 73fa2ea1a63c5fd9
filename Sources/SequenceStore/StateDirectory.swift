import CSequenceLinux
import Glibc
package import SequencePlatform

/// The directory of a store: its database and its locks.
public struct StateDirectory: Hashable, Sendable {
  /// The path of the directory.
  public let path: String
  /// The name of the database in the directory.
  public let database: String

  /// The directory at a path; it is created when a store is opened in it.
  ///
  /// - Parameters:
  ///   - path: the path of the directory.
  ///   - database: the name of the database in the directory. Choose a name of your own, so that users know which
  ///     program the file belongs to. Without it, the database is named `sequence.db`, and `sequence --state-dir` can
  ///     show its run.
  public init(path: String, database: String = "sequence.db") {
    self.path = path
    self.database = database
  }

  /// The directory of a program of the user: `$XDG_STATE_HOME/NAME`, else `~/.local/state/NAME`, with the database
  /// `NAME.db` (XDG Base Directory Specification; a relative path in the variable is ignored, as it demands).
  ///
  /// - Parameter name: the name of the program.
  /// - Throws: `StoreError.noHome` if neither variable is set, `XDG_STATE_HOME` nor `HOME`.
  public init(ofProgram name: String) throws(StoreError) {
    guard let own = StateDirectory(ofProgram: name, environment: .process) else { throw .noHome }
    try own.requireText()
    self = own
  }

  /// Returns the directory of the command `sequence`, for a program that shares its run: `$SEQUENCE_STATE_DIR`, else
  /// that of a program named `sequence`.
  ///
  /// - Throws: `StoreError.noHome` if the environment names no directory.
  public static func ofSequence() throws(StoreError) -> StateDirectory {
    guard let directory = StateDirectory(environment: .process) else { throw .noHome }
    try directory.requireText()
    return directory
  }

  /// Whether the path is the one that was given: Swift replaces each byte that is not UTF-8 by U+FFFD.
  package var isText: Bool { !path.unicodeScalars.contains("\u{FFFD}") }

  private func requireText() throws(StoreError) {
    guard isText else { throw .inaccessible(path: path, reason: "it is not UTF-8") }
  }

  /// The directory of a program of a user; `nil` if not even `HOME` is set.
  package init?(ofProgram name: String, environment: EnvironmentVariables) {
    guard let base = environment.directory("XDG_STATE_HOME", orInHome: ".local/state") else { return nil }
    self.init(path: base + "/" + name, database: name + ".db")
  }

  /// The directory of the command `sequence` in an environment; `nil` if not even `HOME` is set.
  package init?(environment: EnvironmentVariables) {
    if let path = environment["SEQUENCE_STATE_DIR"], !path.isEmpty {
      self.init(path: path)
    } else {
      self.init(ofUser: environment)
    }
  }

  /// The directory of the user without `$SEQUENCE_STATE_DIR`; `nil` if not even `HOME` is set.
  package init?(ofUser environment: EnvironmentVariables) {
    guard let own = StateDirectory(ofProgram: "sequence", environment: environment) else { return nil }
    self = own
  }

  /// Whether it contains a store, usable or not.
  package var hasStore: Bool {
    unsafe access(databasePath, F_OK) == 0 || Database.isBeingReplaced(databasePath)
  }

  package var databasePath: String { path + "/" + database }
  /// A store that is not complete, or that is about to take the place of a damaged one.
  var draftPath: String { databasePath + ".new" }
  var replacementPath: String { Database.replacementPath(of: databasePath) }
  package var storeLockPath: String { path + "/store.lock" }
  package var agentLockPath: String { path + "/agent.lock" }
  package var agentSocketPath: String { path + "/agent.socket" }
  package var foregroundLockPath: String { path + "/foreground.lock" }
  package var displayLockPath: String { path + "/display.lock" }
  package var agentLogPath: String { path + "/agent.log" }

  package func make() throws(SystemError) { try makeDirectory(path) }

  /// Refuses a directory in which other users could replace files.
  ///
  /// It is checked after it was created, because another user may have been faster in a directory that all may write
  /// to. Nothing is repaired, because the directory may have another purpose. Links are followed.
  package func requireOwned() throws(StoreError) {
    var status = stat()
    do throws(SystemError) {
      _ = try SystemError.check("read the status of \(path)") { unsafe stat(path, &status) }
    } catch {
      throw StoreError(error, path: path)
    }
    guard status.st_uid == geteuid() else {
      throw .inaccessible(path: path, reason: "it belongs to another user")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw .inaccessible(path: path, reason: "other users can write to it (chmod go-w fixes that)")
    }
    try requireOwnedStore()
  }

  /// Refuses a database that is a link to another file, or belongs to another user.
  private func requireOwnedStore() throws(StoreError) {
    var status = stat()
    // One that is not there is made; what else is wrong shows when it is opened.
    guard unsafe lstat(databasePath, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      throw .inaccessible(path: databasePath, reason: "it is a link, or not a regular file")
    }
    guard status.st_uid == geteuid() else {
      throw .inaccessible(path: databasePath, reason: "it belongs to another user")
    }
  }
}
