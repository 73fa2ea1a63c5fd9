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
