import CSequenceLinux
import Glibc

/// Where readings come from: the machine's clocks, or a test's.
public protocol ClockSource: Sendable {
  /// Reads the clocks.
  func now() -> ClockReading
}

/// The machine's own clocks.
public struct SystemClock: ClockSource {
  private let bootID: String

  /// The clocks of this machine in this boot.
  ///
  /// - Throws: `ClockError` if the kernel does not provide the boot id.
  public init() throws(ClockError) {
    let path = "/proc/sys/kernel/random/boot_id"
    do throws(SystemError) {
      let bytes = try FileDescriptor(opening: path, O_RDONLY).read(atMost: 256) ?? []
      bootID = String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace })
    } catch {
      throw ClockError.bootIDUnreadable(path: path, reason: error.reason)
    }
    guard !bootID.isEmpty else { throw ClockError.bootIDUnreadable(path: path, reason: "it is empty") }
  }

  /// Reads the clocks with two system calls that do not enter the kernel.
  public func now() -> ClockReading {
    let boot = SystemClock.sinceBoot()
    let wall = SystemClock.time(of: CLOCK_REALTIME)
    return ClockReading(wall: Moment(microseconds: wall / 1000), boot: boot, bootID: bootID)
  }

  /// The time since the machine was started, suspended time included.
  package static func sinceBoot() -> Duration { .nanoseconds(time(of: CLOCK_BOOTTIME)) }

  /// The nanoseconds that a clock shows.
  private static func time(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // It fails for unknown clocks and bad addresses only; neither can happen here.
    let status = unsafe clock_gettime(clock, &time)
    precondition(status == 0, "clock_gettime failed for a clock that every Linux since 2.6.39 has")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Why the clocks cannot be used.
public enum ClockError: ExplainedError, Equatable {
  /// The boot id could not be read, so moments of two boots could not be distinguished.
  case bootIDUnreadable(path: String, reason: String)

  /// The file and why it cannot be used.
  public var problem: String {
    switch self {
    case .bootIDUnreadable(let path, let reason): "the boot id cannot be read from \(path): \(reason)"
    }
  }
}
