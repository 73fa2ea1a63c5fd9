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
