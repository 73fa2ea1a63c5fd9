import CSequenceLinux
import Glibc

/// A timer that fires at an absolute moment of the boot clock, at once if that passed during a suspend.
package struct DeadlineTimer: ~Copyable, Sendable {
  private let timer: FileDescriptor
  /// The clock that its deadlines are of; `nil` for the machine's.
  private let clock: (any ClockSource)?

  /// The shortest wait for a clock of another speed than the machine's, so that one that stands still costs little.
  private static let shortestWait = Duration.milliseconds(1)

  package init() throws(SystemError) { try self.init(of: nil) }

  init(of clock: (any ClockSource)?) throws(SystemError) {
    timer = try DeadlineTimer.makeDescriptor()
    self.clock = clock
  }

  static func makeDescriptor() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try SystemError.check("timerfd_create") {
        timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
      })
  }

  deinit { clock?.manualClock?.forget(timer.number) }

  package var descriptor: Int32 { timer.number }

  /// - Parameter deadline: the time since boot to fire at; `nil` disarms the timer.
  package func arm(_ deadline: Duration?) throws(SystemError) {
    guard let clock else { return try DeadlineTimer.set(timer.number, to: deadline) }
    if let manual = clock.manualClock {
      let boot = manual.now().boot
      return try manual.arm(timer.number, at: deadline.map { boot + ($0 - clock.now().boot) })
    }
    // The machine's clock is read first: a suspend in between makes the timer early, and who waits arms it again.
    let boot = SystemClock.sinceBoot()
    let wait = deadline.map { $0 - clock.now().boot }
    try DeadlineTimer.set(
      timer.number, to: wait.map { boot + ($0 > .zero ? max($0, DeadlineTimer.shortestWait) : $0) })
  }

  /// Has the kernel fire a timer at a time on its clock; `nil` for never.
  static func set(_ timer: Int32, to deadline: Duration?) throws(SystemError) {
    // A time of zero would disarm it; a nanosecond after boot is as long ago.
    let nanoseconds = deadline.map { max(1, $0.nanoseconds) } ?? 0
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
    setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    _ = try SystemError.check("timerfd_settime") {
      unsafe timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
  }

  /// Acknowledges that the timer fired, so that the descriptor is quiet again.
  package func acknowledge() throws(SystemError) {
    _ = try timer.read(atMost: 8)
  }
}

/// How late something may be, before it is left out or decided again.
package enum Lateness {
  /// A notification of a run, unless it is still true: a moment of the run that is half a minute past is no news.
  ///
  /// An agent that a command has started waits as long for a server.
  package static let notification = Duration.seconds(30)
  /// The end of a run: worth knowing the next morning, unless the sequence is started again.
  package static let runEnd = Duration.seconds(24 * 3600)
  /// The request of a program when it is added: longer than the 5 s that a call waits for a busy store.
  package static let request = Duration.seconds(10)
  /// A notification from its decision until it is shown: longer than any server takes that answers at all.
  package static let showing = Duration.seconds(10)
  /// The end of the wait for the time of a prepared notification: later means that the machine slept meanwhile.
  package static let preparedNotification = Duration.seconds(1)
  /// A hook or a cue: a later one tells of something that people have noticed.
  package static let event = Duration.seconds(3)
  /// The hooks of a pause at a suspend: logind waits for 5 s in all, and other programs need time, too.
  package static let suspend = Duration.seconds(1)
  /// A program at its limit: later means that the machine slept, and that the limit doesn't count.
  package static let limit = Duration.seconds(1)
  /// A hook or a cue for the last seconds of a step: a later one names the wrong second.
  package static let mark = Duration.seconds(1)
  /// A sound at an ordered time: a later one would only confuse.
  package static let sound = Duration.seconds(1)

  /// A media key or a click that could not act at once, because the store was busy, counted from its arrival: the user
  /// has pressed it again or given up.
  package static let key = Duration.seconds(1)
}

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
