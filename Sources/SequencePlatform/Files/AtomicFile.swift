import CSequenceLinux
import Glibc

/// Writes whole files: after a crash or a power loss there is the old file or the new one, and never a part of one.
package enum AtomicFile {
  /// Writes a file, and returns when its content and its name are on the disk.
  ///
  /// A replaced file keeps its permissions. A symbolic link stays a link, and the file is written where it leads, even
  /// if nothing is there yet. A pipe or a device cannot be replaced and is written to.
  ///
  /// - Parameter mode: the permissions of a new file, before the umask.
  /// - Throws: `SystemError`; `EEXIST` if the file exists and `isReplacing` is false.
  package static func write(
    _ text: String, to path: String, mode: UInt32 = 0o666, replacing isReplacing: Bool
  ) throws(SystemError) {
    try write(Array(text.utf8), to: path, mode: mode, replacing: isReplacing)
  }

  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o666, replacing isReplacing: Bool
  ) throws(SystemError) {
    do throws(SystemError) {
      if isReplacing, FileKind(of: path) == .special {
        let file = try FileDescriptor(opening: path, O_WRONLY)
        return try writeAll(bytes, to: file.number)
      }
      try put(bytes, at: isReplacing ? resolved(path) : path, mode, isReplacing)
    } catch {
      throw SystemError(call: "write \(path)", code: error.code)
    }
  }

  package static func remedy(for error: SystemError, _ path: String) -> LocalizedText? {
    switch error.code {
    case ENOENT, ENOTDIR:
      "create the directory \(quote(directory(ofFileAt: path))) first"
    case EACCES, EPERM, EROFS: "choose a directory that you can write to"
    case ENOSPC, EDQUOT: "free some space"
    default: nil
    }
  }

  /// How a file was replaced that others may change at any time.
  package enum Replacement: Equatable, Sendable {
    case replaced
    /// It had another content than expected. It has the last of these contents of others; none if it is gone.
    case changed([[UInt8]])
  }

  /// Replaces the content of a file, unless it is another one than was read before.
  ///
  /// The content is compared, the two files change places, and what came out is compared again, so that another program
  /// can't write in between without being noticed. Where the file system can't exchange files, such as NFS, only the
  /// first comparison is left.
  ///
  /// - Parameters:
  ///   - old: the content that was read.
  ///   - limit: the largest size of a content of others, in bytes.
  /// - Throws: `SystemError`; with `EFBIG` if the file is larger than the limit, and `EACCES` or `EROFS` if its
  ///   permissions or its file system don't allow writing. The file stays then.
  package static func replace(
    _ old: [UInt8], by new: [UInt8], at path: String, upTo limit: Int
  ) throws(SystemError) -> Replacement {
    do throws(SystemError) {
      let target = try resolved(path)
      guard unsafe access(target, W_OK) == 0 || errno == ENOENT else {
        throw SystemError(call: "write", code: errno)
      }
      let directory = try FileDescriptor(openingDirectory: folder(of: target))
      // One after the other: the new content is in the file for a moment, even if it has to leave again. Without locks,
      // as on some network file systems, another one might build on it.
      while flock(directory.number, LOCK_EX) != 0, errno == EINTR {}
      let temporary = try writeTemporary(new, for: target, 0o666, isReplacing: true)
      do throws(SystemError) {
        let result = try exchange(temporary, target, old, new, limit)
        if unsafe access(temporary, F_OK) == 0 {
          _ = try SystemError.check("unlink") { unsafe unlink(temporary) }
        }
        try directory.synchronize()
        return result
      } catch {
        // The failure before is what counts.
        _ = unsafe unlink(temporary)
        throw error
      }
    } catch {
      throw SystemError(call: "write \(path)", code: error.code)
    }
  }

  private static func exchange(
    _ temporary: String, _ target: String, _ old: [UInt8], _ new: [UInt8], _ limit: Int
  ) throws(SystemError) -> Replacement {
    do throws(SystemError) {
      // Only a change from now on lets another program see the new content before it leaves again.
      let current = try readWhole(target, limit)
      guard current == old else { return .changed([current]) }
      try renameFile(temporary, to: target, .exchanging)
    } catch  where error.code == ENOENT {
      return .changed([])
    } catch  where error.code == EINVAL || error.code == ENOSYS {
      try renameFile(temporary, to: target, .replacing)
      return .replaced
    }
    var others = [try readTakenOut(temporary, target, limit)]
    guard others[0] != old else { return .replaced }
    // The newest content of others goes back, until nobody has replaced what this call put in.
    var placed = new
    while true {
      try renameFile(temporary, to: target, .exchanging)
      let returned = try readTakenOut(temporary, target, limit)
      guard returned != placed else { return .changed(others) }
      placed = others[others.count - 1]
      others.append(returned)
    }
  }

  /// Reads a file; a part of one equals nothing.
  private static func readWhole(_ path: String, _ limit: Int) throws(SystemError) -> [UInt8] {
    // A pipe would block.
    guard FileKind(of: path) != .special else { throw SystemError(call: "read \(path)", code: EOPNOTSUPP) }
    let bytes = try readAll(fromFileAt: path, upTo: limit)
    guard bytes.count <= limit else { throw SystemError(call: "read \(path)", code: EFBIG) }
    return bytes
  }

  /// Reads the file that an exchange took out; if it can't be read, it goes back.
  private static func readTakenOut(
    _ temporary: String, _ target: String, _ limit: Int
  ) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try readWhole(temporary, limit)
    } catch {
      try renameFile(temporary, to: target, .exchanging)
      throw error
    }
  }

  private static func put(
    _ bytes: [UInt8], at path: String, _ mode: UInt32, _ isReplacing: Bool
  ) throws(SystemError) {
    let directory = try FileDescriptor(openingDirectory: folder(of: path))
    let temporary = try writeTemporary(bytes, for: path, mode, isReplacing: isReplacing)
    do throws(SystemError) {
      try rename(temporary, to: path, isReplacing)
    } catch {
      // The failure before is what counts.
      _ = unsafe unlink(temporary)
      throw error
    }
    try directory.synchronize()
  }

  private static func folder(of path: String) -> String {
    path.unicodeScalars.lastIndex(of: "/").map { String(path.unicodeScalars[...$0]) } ?? "./"
  }

  private static func writeTemporary(
    _ text: [UInt8], for path: String, _ mode: UInt32, isReplacing: Bool
  ) throws(SystemError) -> String {
    // The name does not grow with that of the file, which may have the longest there is.
    let temporary = folder(of: path) + ".sequence-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    let file = try FileDescriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    do throws(SystemError) {
      var former = stat()
      if isReplacing, unsafe stat(path, &former) == 0 {
        _ = try SystemError.check("fchmod") { fchmod(file.number, former.st_mode & 0o7777) }
      }
      try writeAll(text, to: file.number)
      try file.synchronize()
    } catch {
      // The failure before is what counts.
      _ = unsafe unlink(temporary)
      throw error
    }
    return temporary
  }

  private static func rename(
    _ temporary: String, to path: String, _ isReplacing: Bool
  ) throws(SystemError) {
    do throws(SystemError) {
      try renameFile(temporary, to: path, isReplacing ? .replacing : .keeping)
    } catch  where error.code == EINVAL && !isReplacing {
      // Some file systems, such as NFS, cannot rename without replacing; they have hard links.
      _ = try SystemError.check("link") { unsafe link(temporary, path) }
      _ = try SystemError.check("unlink") { unsafe unlink(temporary) }
    }
  }

  /// Returns where a link leads, even if nothing is there yet; the path itself if it is no link.
  private static func resolved(_ path: String) throws(SystemError) -> String {
    if let resolved = resolvedPath(path) { return resolved }
    let code = errno
    if code == ELOOP { throw SystemError(call: "resolve \(path)", code: code) }
    var status = stat()
    guard code == ENOENT, unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
      return path
    }
    let target = try linkTarget(path)
    let folder = isAbsolute(target) ? "" : AtomicFile.folder(of: path)
    return try resolved(folder + target)
  }
}

/// The absolute path of a file without links; `nil` if it can't be resolved, with the reason in `errno`.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

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
