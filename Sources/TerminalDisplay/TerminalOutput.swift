import CSequenceLinux
import Glibc

/// Writing and reading with all that a terminal may answer.
enum TerminalOutput {
  /// Writes a text, in one call if the terminal takes it at once.
  static func write(_ text: String, to descriptor: Int32) throws(TerminalError) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // Another program that has the terminal may have made it non-blocking.
        try wait(until: Int16(POLLOUT), descriptor)
      } else if errno != EINTR {
        throw .system(call: "write", code: errno)
      }
    }
  }

  private static func wait(until event: Int16, _ descriptor: Int32) throws(TerminalError) {
    var request = pollfd(fd: descriptor, events: event, revents: 0)
    while unsafe poll(&request, 1, -1) < 0 {
      guard errno == EINTR else { throw .system(call: "poll", code: errno) }
    }
  }
}

extension Terminal {
  /// What a read from the terminal gave.
  package enum Input: Equatable {
    /// What was typed; empty if nothing was.
    case bytes([UInt8])
    /// The terminal is gone.
    case closed
  }

  /// Reads what was typed; call it when `input` is readable.
  package func read() throws(TerminalError) -> Input {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(input, buffer.baseAddress, buffer.count)
    }
    if count > 0 { return .bytes(Array(bytes.prefix(count))) }
    if count == 0 { return .closed }
    switch errno {
    case EINTR, EAGAIN: return .bytes([])
    case EIO: return .closed
    default: throw .system(call: "read", code: errno)
    }
  }
}
