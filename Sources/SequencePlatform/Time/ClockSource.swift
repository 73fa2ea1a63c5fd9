import CSequenceLinux
import Glibc

/// Where readings come from: the machine's clocks, or a test's.
///
/// Any clock will do, for example one that is shifted against the machine's. Timers wait until it shows their time.
public protocol ClockSource: Sendable {
  /// Reads the clocks.
  func now() -> ClockReading
  /// The clock that moves this one; `nil`, as for most clocks, if time passes by itself.
  ///
  /// A clock that calculates its readings from those of a ``ManualClock`` returns that.
  var manualClock: ManualClock? { get }
}

extension ClockSource {
  /// No clock: time passes by itself.
  public var manualClock: ManualClock? { nil }

  package func makeTimer() throws(SystemError) -> DeadlineTimer { try DeadlineTimer(of: self) }

  /// Starts to watch whether the wall clock is set; setting the time zone of a manual clock is reported too.
  package func makeSetWatch() throws(SystemError) -> ClockSetWatch { try ClockSetWatch(of: manualClock) }

  /// - Throws: `SystemError` if the kernel's limit of watches is reached, or the directory is not there.
  package func makeStoreWatch(of path: String) throws(SystemError) -> DirectoryWatch {
    if let manualClock { try DirectoryWatch(of: manualClock) } else { try DirectoryWatch(path: path) }
  }

  /// - Parameter onFailure: receives the reason why changes are noticed only when somebody asks.
  package func makeZoneWatch(onFailure: (any Error) -> Void) -> TimeZoneWatch {
    // The set watch reports the zone of a manual clock.
    manualClock == nil ? TimeZoneWatch(onFailure: onFailure) : TimeZoneWatch()
  }

  /// The identifier of the time zone of the machine, such as `Europe/Berlin`; `nil` if it has no name.
  package var timeZone: String? {
    guard let manualClock else { return SystemTimeZone.identifier() }
    // Its own property, which is not optional.
    let zone: String = manualClock.timeZone
    return zone
  }

  /// Wakes up those who wait for a change of a store with this clock; the kernel does so unless the clock is manual.
  package func reportChange() { manualClock?.wakeStoreWatches() }
}

/// The machine's own clocks.
public struct SystemClock: ClockSource {
  private let bootID: String

  /// The clocks of this machine in this boot.
  ///
  /// - Throws: `Problem` if the kernel does not provide the boot id: moments of two boots could not be distinguished.
  public init() throws(Problem) {
    let path = "/proc/sys/kernel/random/boot_id"
    do throws(SystemError) {
      let bytes = try FileDescriptor(opening: path, O_RDONLY).read(atMost: 256) ?? []
      bootID = String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace })
    } catch {
      throw SystemClock.unreadable(path, error.reason)
    }
    guard !bootID.isEmpty else { throw SystemClock.unreadable(path, "it is empty") }
  }

  package static func unreadable(_ path: String, _ reason: LocalizedText) -> Problem {
    Problem(
      "the boot id cannot be read from \(path): \(reason)",
      remedy: "mount /proc, or let the sandbox or container read this file")
  }

  /// The clocks of this machine in a boot that isn't known; only for what doesn't concern runs.
  package static let ofUnknownBoot = SystemClock(bootID: "")

  private init(bootID: String) { self.bootID = bootID }

  /// Reads the clocks with two system calls that do not enter the kernel.
  public func now() -> ClockReading {
    let boot = SystemClock.sinceBoot()
    let wall = SystemClock.time(of: CLOCK_REALTIME)
    return ClockReading(wall: Moment(microseconds: wall / 1000), boot: boot, bootID: bootID)
  }

  /// The time since the machine was started, suspended time included.
  package static func sinceBoot() -> Duration { .nanoseconds(time(of: CLOCK_BOOTTIME)) }

  /// The time that the machine has been suspended since it was started.
  package static func timeAsleep() -> Duration {
    .nanoseconds(time(of: CLOCK_BOOTTIME) - time(of: CLOCK_MONOTONIC))
  }

  private static func time(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // It fails for unknown clocks and bad addresses only; neither can happen here.
    let status = unsafe clock_gettime(clock, &time)
    precondition(status == 0, "clock_gettime failed for a clock that every Linux since 2.6.39 has")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
