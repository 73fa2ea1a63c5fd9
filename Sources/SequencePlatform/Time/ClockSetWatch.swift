import CSequenceLinux
import Glibc

/// Reports when the wall clock is set; a clock that is only slowed down or sped up is not reported.
///
/// Source: timerfd_create(2), "TFD_TIMER_CANCEL_ON_SET".
package struct ClockSetWatch: ~Copyable {
  private let timer: FileDescriptor
  private let clock: ManualClock?

  init(of clock: ManualClock?) throws(SystemError) {
    let made = FileDescriptor(
      owning: try SystemError.check("timerfd_create") {
        timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
      })
    try ClockSetWatch.arm(made.number)
    timer = made
    self.clock = clock
    clock?.watch(with: timer.number)
  }

  deinit { clock?.forget(timer.number) }

  package var descriptor: Int32 { timer.number }

  /// Acknowledges that the clock was set, so that the descriptor is quiet again.
  package func acknowledge() throws(SystemError) {
    do throws(SystemError) {
      _ = try timer.read(atMost: 8)
    } catch  where error.code == ECANCELED {
      // This is how the kernel says it.
    }
    try ClockSetWatch.arm(timer.number)
  }

  /// Arms the timer for a time that never comes: setting the clock is all that can end the waiting.
  private static func arm(_ timer: Int32) throws(SystemError) {
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(Int32.max) * 1000
    _ = try SystemError.check("timerfd_settime") {
      unsafe timerfd_settime(
        timer, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &setting, nil)
    }
  }
}

/// Notices when the time zone of the system is set.
///
/// It is set by a new link in place of the old one, which may be absent for a moment. The directory is watched, because
/// a watch on the link would end with it.
package struct TimeZoneWatch: ~Copyable {
  private let path: String
  private let watch: DirectoryWatch?
  private var zone: String?

  /// - Parameter onFailure: receives the reason why the directory can't be watched. A change is found at the next call
  ///   of `hasChanged()` then.
  package init(path: String = SystemTimeZone.path, onFailure: (any Error) -> Void) {
    self.path = path
    let directory = path.prefix(upTo: path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)
    do throws(SystemError) {
      watch = try DirectoryWatch(path: String(directory))
    } catch {
      watch = nil
      onFailure(error)
    }
    zone = SystemTimeZone.resolved(path)
  }

  init() {
    path = ""
    watch = .none
    zone = nil
  }

  package var descriptors: [Int32] {
    switch watch {
    case .some(let watch): [watch.descriptor]
    case nil: []
    }
  }

  /// Returns whether the link leads to another time zone than at the last call; a link that is absent doesn't count.
  package mutating func hasChanged() throws(SystemError) -> Bool {
    switch watch {
    case .some(let watch): try watch.drain()
    case nil: break
    }
    guard let present = SystemTimeZone.resolved(path), present != zone else { return false }
    zone = present
    return true
  }
}

package enum SystemTimeZone {
  package static let path = "/etc/localtime"

  package static var environment: String? { unsafe getenv("TZ").map { unsafe String(cString: $0) } }

  /// Returns the identifier of the time zone of the system: that of `TZ` if it is set, or else that of `/etc/localtime`.
  ///
  /// A rule such as `EST5EDT4` in `TZ` is returned as it is. Foundation keeps the time zone that it has found first, and
  /// a daemon outlives it.
  package static func identifier(
    environment: String? = environment, localtime: String = path
  ) -> String? {
    guard let environment, !environment.isEmpty else {
      return resolved(localtime).flatMap(identifier(ofFile:))
    }
    let name = environment.hasPrefix(":") ? String(environment.dropFirst()) : environment
    return identifier(ofFile: name) ?? name
  }

  /// The identifier in the path of a file of the time zone database; `nil` if it has none.
  static func identifier(ofFile path: String) -> String? {
    guard let range = path.firstRange(of: "zoneinfo/") else { return nil }
    var name = path[range.upperBound...]
    // The database has variants with and without leap seconds.
    for variant in ["posix/", "right/"] where name.hasPrefix(variant) { name = name.dropFirst(variant.count) }
    return String(name)
  }

  static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
