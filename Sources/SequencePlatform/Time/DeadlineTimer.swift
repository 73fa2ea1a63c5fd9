import CSequenceLinux
import Glibc

/// A timer that fires at an absolute moment of the boot clock, at once if that passed during a suspend.
package struct DeadlineTimer: ~Copyable, Sendable {
  private let timer: FileDescriptor
  /// The clock that fires the timer; `nil` for the machine's.
  private let clock: ManualClock?

  /// A timer that is not armed.
  ///
  /// - Parameter clock: the clock that its deadlines are of; `nil` for the machine's.
  package init(of clock: (any ClockSource)? = nil) throws(SystemError) {
    timer = FileDescriptor(
      owning: try SystemError.check("timerfd_create") {
        timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
      })
    self.clock = clock as? ManualClock
  }

  deinit { clock?.forget(timer.number) }

  /// The descriptor to wait on: readable once the deadline has passed.
  package var descriptor: Int32 { timer.number }

  /// Arms the timer, or disarms it.
  ///
  /// - Parameter deadline: the time since boot to fire at; `nil` for never.
  package func arm(_ deadline: Duration?) throws(SystemError) {
    if let clock { return try clock.arm(timer.number, at: deadline) }
    try DeadlineTimer.set(timer.number, to: deadline)
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

  /// Takes note that the timer fired, so that the descriptor is quiet again.
  package func acknowledge() throws(SystemError) {
    _ = try timer.read(atMost: 8)
  }
}
