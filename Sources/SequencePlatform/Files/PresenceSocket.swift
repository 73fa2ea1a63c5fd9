import CSequenceLinux
import Glibc

/// A socket on which a process answers that it is alive and will notice changes that were made before.
///
/// A held lock is not enough: its holder may be about to exit. An answer that was sent after the question is.
package final class PresenceSocket: Sendable {
  private let socket: FileDescriptor
  private let path: String
  private let file: FileIdentity?

  /// Listens on the socket at a path; a file that an earlier process left there is removed.
  ///
  /// Must be called by the holder of the lock that belongs to the socket.
  package init(path: String) throws(SystemError) {
    let socket = try PresenceSocket.socket()
    // The file gets the rights that the socket has when it is bound.
    _ = try SystemError.check("restrict \(path)") { fchmod(socket.number, 0o600) }
    _ = unsafe try PresenceSocket.withAddress(of: path, creating: true) { address, size in
      unsafe bind(socket.number, address, size)
    }
    _ = try SystemError.check("listen") { listen(socket.number, 128) }
    self.path = path
    file = FileIdentity(path: path)
    self.socket = socket
  }

  package var isInPlace: Bool { file != nil && file == FileIdentity(path: path) }

  package var descriptor: Int32 { socket.number }

  /// Answers everybody who asks.
  ///
  /// - Parameter isLeaving: whether this process is about to end. It is called after each question was taken, so a
  ///   signal that came before the question counts; nothing is answered then.
  package func answer(unless isLeaving: () throws(SystemError) -> Bool) throws(SystemError) {
    while let connection = try accept() {
      if try isLeaving() { return }
      var answer: UInt8 = 1
      // The asking process may be gone; no other process needs the answer.
      _ = unsafe send(connection.number, &answer, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  private func accept() throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      return FileDescriptor(owning: try SystemError.check("accept") { sequence_accept(socket.number) })
    } catch  where error.code == EAGAIN || error.code == ECONNABORTED {
      return nil
    }
  }

  package enum Reply: Equatable, Sendable {
    /// A process answered; it will notice every change that was made before the question.
    case present(process: Int32)
    /// No process answered, or the process is about to exit.
    case absent
    /// A process is there and doesn't answer in time, for example because it is stopped.
    case silent(process: Int32?)
  }

  /// Asks whether a process is there that listens in the file of a path.
  ///
  /// - Parameter limit: the longest time to wait for an answer. The end of the process ends the waiting too.
  package static func ask(path: String, within limit: Duration = .seconds(2)) throws(SystemError) -> Reply {
    let connection = try socket()
    do throws(SystemError) {
      _ = unsafe try withAddress(of: path, creating: false) { address, size in
        unsafe connect(connection.number, address, size)
      }
      let process = try SystemError.check("ask for the process of \(path)") {
        sequence_peer(connection.number)
      }
      guard try isReadable(connection, within: limit) else { return .silent(process: process) }
      return try connection.read(atMost: 1)?.isEmpty == false ? .present(process: process) : .absent
    } catch {
      switch error.code {
      case ENOENT, ECONNREFUSED, ECONNRESET: return .absent
      // So many wait for an answer that no more may.
      case EAGAIN: return .silent(process: nil)
      default: throw error
      }
    }
  }

  private static func isReadable(
    _ connection: borrowing FileDescriptor, within limit: Duration
  ) throws(SystemError) -> Bool {
    var entry = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
    return try SystemError.check("poll") { unsafe poll(&entry, 1, milliseconds) } > 0
  }

  private static func socket() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try SystemError.check("socket") {
        Glibc.socket(
          AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      })
  }

  /// Calls with the address of a path; an address has room for 107 bytes only, so it goes by way of the directory.
  private static func withAddress(
    of path: String, creating isCreating: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemError) -> Int32 {
    let slash = path.unicodeScalars.lastIndex(of: "/")
    let name = slash.map { String(path.unicodeScalars[$0...].dropFirst()) } ?? path
    let folder = slash.map { String(path.unicodeScalars[...$0]) } ?? "."
    let directory = try FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
    let short = "/proc/self/fd/\(directory.number)/\(name)"
    if isCreating {
      do throws(SystemError) {
        _ = try SystemError.check("remove \(path)") { unsafe unlink(short) }
      } catch {
        guard error.code == ENOENT else { throw error }
      }
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(short.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(call: "name the socket \(path)", code: ENAMETOOLONG)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return try SystemError.check("\(isCreating ? "listen in" : "connect to") \(path)") {
      unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
      }
    }
  }
}
