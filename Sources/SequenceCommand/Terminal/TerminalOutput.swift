import CSequenceLinux
import Glibc
import SequencePlatform

/// Reads and writes that handle every response of a terminal.
enum TerminalOutput {
  /// Writes a text, in one system call if possible.
  static func write(_ text: String, to descriptor: Int32) throws(Problem) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // Another program on the same terminal may have made it non-blocking.
        try wait(until: Int16(POLLOUT), descriptor)
      } else if errno != EINTR {
        throw Terminal.problem(of: "write", code: errno)
      }
    }
  }

  private static func wait(until event: Int16, _ descriptor: Int32) throws(Problem) {
    var request = pollfd(fd: descriptor, events: event, revents: 0)
    while unsafe poll(&request, 1, -1) < 0 {
      guard errno == EINTR else { throw Terminal.problem(of: "poll", code: errno) }
    }
  }
}

extension Terminal {
  /// The result of a read from the terminal.
  enum Input: Equatable {
    /// The typed bytes; empty if there are none.
    case bytes([UInt8])
    /// The terminal was closed.
    case closed
  }

  /// Reads the typed bytes; call it when `input` is readable.
  func read() throws(Problem) -> Input {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(input, buffer.baseAddress, buffer.count)
    }
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    if count == 0 { return .closed }
    switch errno {
    case EINTR, EAGAIN: return .bytes([])
    case EIO: return .closed
    default: throw Terminal.problem(of: "read", code: errno)
    }
  }
}
