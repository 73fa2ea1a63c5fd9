import CSequenceLinux
import Glibc
import Platform
import SequenceRunner

/// A file of configuration that is written as a whole, and touched only if it was written here.
struct OwnedFile: Equatable {
  let path: String

  /// How the first line of each file begins that is written here.
  private static let sign = "# Written by sequence agent install"
  /// The first line of each file that is written here.
  static let mark = sign + ", which overwrites changes; sequence agent uninstall removes it."
  /// How much is read, in bytes: more than any of these files has, and enough of another's.
  private static let mostRead = 65_536

  /// What is in the place of the file.
  private enum Content {
    case nothing
    /// A symbolic link, a directory or the like.
    case noFile
    case text(String)
  }

  /// The text of the file; `nil` without one.
  ///
  /// - Throws: `PermanenceError.foreign` or `.notAFile` for what was not written here.
  func read() throws(PermanenceError) -> String? {
    switch try reporting(content) {
    case .nothing: return nil
    case .noFile: throw .notAFile(path: path)
    case .text(let text):
      guard text.hasPrefix(OwnedFile.sign) else { throw .foreign(path: path) }
      return text
    }
  }

  /// Whether the file is there and was written here.
  func isPresent() throws(PermanenceError) -> Bool {
    do throws(PermanenceError) {
      return try read() != nil
    } catch {
      switch error {
      case .foreign, .notAFile: return false
      // What this user may not see, nothing reads at this user's login either.
      case .system(let error) where error.code == EACCES: return false
      case .noHome, .unwritable, .serviceManager, .system: throw error
      }
    }
  }

  /// The text of the file, whoever wrote it; `nil` if it is not there or is no file.
  func textOfAnybody() throws(PermanenceError) -> String? {
    guard case .text(let text) = try reporting(content) else { return nil }
    return text
  }

  /// Whether anything is in the place of the file that this user may read.
  func isTaken() throws(PermanenceError) -> Bool {
    do throws(SystemError) {
      if case .nothing = try content() { return false }
      return true
    } catch  where error.code == EACCES {
      return false
    } catch {
      throw .system(error)
    }
  }

  /// Writes the file, with the directories above it: whoever reads it finds the old text or the new one.
  func write(_ text: String) throws(PermanenceError) {
    try reporting { () throws(SystemError) in
      try makeDirectory(directory)
      try AtomicFile.write(text, to: path, mode: 0o644, replacing: true)
    }
  }

  /// Removes the file.
  func remove() throws(PermanenceError) {
    try reporting { () throws(SystemError) in
      _ = try SystemError.check("remove \(path)") { unsafe unlink(path) }
    }
  }

  /// Where it is.
  var directory: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

  private func content() throws(SystemError) -> Content {
    do throws(SystemError) {
      var status = stat()
      _ = try SystemError.check("look at \(path)") { unsafe lstat(path, &status) }
      guard status.st_mode & S_IFMT == S_IFREG else { return .noFile }
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      var bytes: [UInt8] = []
      while bytes.count < OwnedFile.mostRead, let more = try file.read(atMost: 4096), !more.isEmpty {
        bytes += more
      }
      return .text(String(decoding: bytes, as: UTF8.self))
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return .nothing
    }
  }

  private func reporting<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(PermanenceError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
