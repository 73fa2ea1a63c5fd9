import CSequenceLinux
import Glibc
import SequencePlatform

/// A file that `agent install` writes, and changes or removes only if it has its mark.
struct ManagedFile: Equatable {
  let path: String

  /// The beginning of the mark that identifies a file.
  private static let sign = "# Written by sequence agent install"
  /// The mark: the first line of each file.
  static let mark = sign + ", which overwrites changes; sequence agent uninstall removes it."

  private enum State {
    case missing, ours, foreign
    /// A symbolic link, a directory or the like.
    case notAFile
  }

  /// Whether `agent install` wrote the file.
  func isOurs() throws(LoginStartError) -> Bool {
    do throws(SystemError) {
      return try state() == .ours
    } catch  where error.code == EACCES {
      // A file that this user cannot read isn't read at login either.
      return false
    } catch {
      throw .system(error)
    }
  }

  /// Whether a line of the file ends with a text.
  func contains(_ end: String) throws(LoginStartError) -> Bool {
    try reporting { () throws(SystemError) in
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      let text = String(decoding: try readAll(from: file.number, upTo: ManagedFile.limit), as: UTF8.self)
      return text.split(separator: "\n").contains { $0.hasSuffix(end) }
    }
  }

  /// Many times the size of any such file, in bytes.
  private static let limit = 65_536

  /// Throws if a file exists that `agent install` did not write.
  func requireOursOrMissing() throws(LoginStartError) {
    switch try reporting(state) {
    case .missing, .ours: return
    case .foreign: throw .foreign(path: path)
    case .notAFile: throw .notAFile(path: path)
    }
  }

  /// Writes the file, with the directories above it.
  func write(_ text: String) throws(LoginStartError) {
    try requireOursOrMissing()
    try reporting { () throws(SystemError) in
      try makeDirectory(directory)
      try AtomicFile.write(text, to: path, mode: 0o644, replacing: true)
    }
  }

  /// Removes the file.
  func remove() throws(LoginStartError) {
    try reporting { () throws(SystemError) in
      _ = try SystemError.check("remove \(path)") { unsafe unlink(path) }
    }
  }

  /// The directory of the file.
  var directory: String { String(path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]) }

  private func state() throws(SystemError) -> State {
    do throws(SystemError) {
      var status = stat()
      _ = try SystemError.check("look at \(path)") { unsafe lstat(path, &status) }
      guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      let sign = Array(ManagedFile.sign.utf8)
      return try file.read(atMost: sign.count).map(Array.init) == sign ? .ours : .foreign
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return .missing
    }
  }

  private func reporting<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(LoginStartError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
