import CSequenceLinux
import Glibc

/// A file descriptor that is owned by one place and closed when that place is gone.
package struct FileDescriptor: ~Copyable, Sendable {
  package let number: Int32

  package init(owning number: Int32) {
    self.number = number
  }

  /// Opens a file; no child inherits it.
  package init(opening path: String, _ flags: Int32, mode: UInt32 = 0o600) throws(SystemError) {
    number = try SystemError.check("open \(path)") { unsafe open(path, flags | O_CLOEXEC, mode) }
  }

  package init(openingDirectory path: String) throws(SystemError) {
    try self.init(opening: path, O_RDONLY | O_DIRECTORY)
  }

  /// A descriptor of a child, readable once that has ended; it is closed in the programs that are started.
  package init(ofProcess process: Int32) throws(SystemError) {
    number = try SystemError.check("pidfd_open") { sequence_pidfd_open(process) }
  }

  deinit {
    // Linux closes the descriptor whatever it returns, and nothing is buffered.
    _ = close(number)
  }

  /// Waits until the content of a file, or the names in a directory, are on the disk.
  package func synchronize() throws(SystemError) { _ = try SystemError.check("fsync") { fsync(number) } }

  /// Reads the available bytes; empty at the end of the file, `nil` if nothing is available yet.
  package func read(atMost count: Int) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(SystemError) {
      let read = try SystemError.check("read") {
        unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, count) }
      }
      return Array(bytes.prefix(read))
    } catch  where error.code == EAGAIN {
      return nil
    }
  }
}

/// Reads a descriptor until its end, or until there are more bytes than a limit.
///
/// - Parameter limit: more bytes than that mean that the rest was not read.
package func readAll(from descriptor: Int32, upTo limit: Int) throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while bytes.count <= limit {
    let count = try SystemError.check("read") {
      unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    }
    guard count > 0 else { break }
    bytes += buffer.prefix(count)
  }
  return bytes
}

/// Reads a file, or standard input for `-`, until its end, or until there are more bytes than a limit.
package func readAll(fromFileAt path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
  guard path != "-" else { return try readAll(from: STDIN_FILENO, upTo: limit) }
  let file = try FileDescriptor(opening: path, O_RDONLY)
  return try readAll(from: file.number, upTo: limit)
}

package func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
  var rest = ContiguousArray(bytes)[...]
  while !rest.isEmpty {
    let written: Int
    do throws(SystemError) {
      written = try SystemError.check("write") {
        unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      }
    } catch  where error.code == EAGAIN {
      // The other side of a terminal or pipe that does not block is slow: wait until it takes more.
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = try SystemError.check("poll") { unsafe poll(&entry, 1, -1) }
      continue
    }
    rest = rest.dropFirst(written)
  }
}

/// A file in memory of a fixed size, for the output of a program.
///
/// Unlike a pipe it needs no reader, and a process that the program leaves running may keep writing to it. Once the
/// file is full, writing fails.
package struct BoundedFile: ~Copyable {
  private let file: FileDescriptor
  private let size: Int

  /// - Parameter size: how much it takes, in bytes.
  package init(size: Int) throws(SystemError) {
    let file = FileDescriptor(
      owning: try SystemError.check("memfd_create") { unsafe sequence_memory_file("sequence-output") })
    _ = try SystemError.check("ftruncate") { ftruncate(file.number, size) }
    _ = try SystemError.check("seal") { sequence_forbid_growth(file.number) }
    self.file = file
    self.size = size
  }

  package var descriptor: Int32 { file.number }

  package func text() throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = try SystemError.check("read") {
      unsafe bytes.withUnsafeMutableBytes { unsafe pread(file.number, $0.baseAddress, size, 0) }
    }
    // Unwritten bytes are zeros.
    return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the last line of the output so far, as it may stand in a message; `nil` without any.
  package func lastLine() throws(SystemError) -> String? {
    try text().split(whereSeparator: \.isNewline).last.map {
      TextSafety.sanitised(String(String.UnicodeScalarView($0.unicodeScalars.prefix(200))))
    }
  }
}

package enum StandardStreams {
  /// Opens `/dev/null` for each of them that is closed, so that no other file gets its number and its output.
  ///
  /// It is opened for the wrong direction, so that reading or writing fails as on a closed descriptor.
  package static func fillGaps() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // A failure leaves the descriptor closed, as it was.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Prints a line to standard error; if that can't be written, nothing is left to report it to.
  package static func printError(_ line: String) { try? writeAll((line + "\n").utf8, to: STDERR_FILENO) }

  /// Whether standard output can be written to, as far as that is known before.
  package static var hasOutput: Bool {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Makes the keyboard of the controlling terminal standard input, once a pipe or file that was there has been read.
  ///
  /// - Returns: whether standard input and standard output are terminals now.
  package static func readKeyboard() -> Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    do throws(SystemError) {
      let keyboard = try FileDescriptor(opening: "/dev/tty", O_RDWR)
      return dup2(keyboard.number, STDIN_FILENO) == STDIN_FILENO
    } catch {
      // Without a controlling terminal there are no keys, which is not an error.
      return false
    }
  }
}
