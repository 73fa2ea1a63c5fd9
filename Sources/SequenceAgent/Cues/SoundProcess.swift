import Glibc
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceRunner

/// The program that plays sounds, while it runs.
///
/// It gets its orders ahead of time, one packet for all that belong together. Once the socket is closed it ends when
/// the last sound has ended.
final class SoundProcess {
  private let process: Subprocess
  private let errors: BoundedFile
  private var orders: FileDescriptor?

  /// The sounds that are loaded, and their volume in percent.
  let sounds: [String]
  let volume: Int

  init(_ program: String, _ cues: Cues, environment: [String]) throws(SystemError) {
    sounds = cues.soundNames
    volume = cues.volume
    var ends: [Int32] = [-1, -1]
    // Of a sequenced-packet socket the program gets a packet whole or not at all, as it would not of a pipe.
    _ = try SystemError.check("socketpair") {
      unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    }
    let reader = FileDescriptor(owning: ends[0])
    let writer = FileDescriptor(owning: ends[1])
    let errors = try BoundedFile(size: 4096)
    process = try Subprocess(
      [program, "--volume", String(volume)] + sounds, environment: environment,
      streams: (.descriptor(reader.number), .null, .descriptor(errors.descriptor)))
    self.errors = errors
    orders = consume writer
  }

  var identifier: Int32 { process.identifier }
  /// Readable once the program has ended.
  var descriptor: Int32 { process.descriptor }

  var isClosed: Bool {
    switch orders {
    case .some: false
    case .none: true
    }
  }

  /// Sends orders to the program, without ever waiting; none are sent after its end.
  ///
  /// - Throws: if the program takes no more, because it has read none for a long time.
  func send(_ lines: [String]) throws(SystemError) {
    let packet = Array((lines.joined(separator: "\n") + "\n").utf8)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    switch orders {
    case .some(let orders):
      do throws(SystemError) {
        _ = try SystemError.check("send") { unsafe Glibc.send(orders.number, packet, packet.count, flags) }
      } catch  where error.code == EPIPE || error.code == ECONNRESET {
        // Its end is noticed by its descriptor.
      }
    case .none: break
    }
  }

  func close() { orders = nil }

  /// Returns the problem in words; `nil` if there is none.
  func finish() throws(SystemError) -> String? {
    let termination = try process.wait()
    guard termination != .exit(0) else { return nil }
    if let line = try errors.lastLine() { return line }
    switch termination {
    case .exit(let status): return "sequence-sound ended with status \(status)"
    case .signal(let number): return "signal \(number) ended sequence-sound"
    }
  }

  /// Kills the program; `descriptor` is readable once it has ended.
  func kill() { process.sendKill() }
}
