import CSequenceLinux

package enum RenameMode: Sendable {
  case replacing
  /// It stays, and renaming fails with `EEXIST`.
  case keeping
  /// It gets the old name, in one step.
  case exchanging

  fileprivate var flags: UInt32 {
    switch self {
    case .replacing: 0
    case .keeping: UInt32(SEQUENCE_RENAME_NOREPLACE)
    case .exchanging: UInt32(SEQUENCE_RENAME_EXCHANGE)
    }
  }
}

/// - Throws: `SystemError`; with `EINVAL` if the file system supports replacing only, such as NFS.
package func renameFile(_ path: String, to name: String, _ mode: RenameMode) throws(SystemError) {
  _ = try SystemError.check("rename \(path)") { unsafe sequence_rename(path, name, mode.flags) }
}
