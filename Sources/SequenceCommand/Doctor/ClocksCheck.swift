import CSequenceLinux
import Glibc
import Platform
import SequenceFiles
import SequenceRunner

/// The clocks: the boot id, timers on the boot clock, and whether the wall clock can be right.
enum ClocksCheck {
  static func finding(_ clock: any ReadingClock) -> Finding {
    do {
      let reading = try SystemClock().now()
      guard let late = try lateness(clock) else {
        return Finding(
          .clocks, .wrong, "a timer on the boot clock did not fire",
          advice: "use a kernel that has timerfd with CLOCK_BOOTTIME, as Linux has since 3.15")
      }
      let milliseconds = max(0, late.nanoseconds) / 1000
      let timer = "a timer fired \(milliseconds / 1000).\(milliseconds / 100 % 10) ms after its time"
      let text = "boot \(reading.bootID), \(timer), the wall clock says \(reading.wall)"
      guard let made = programMadeAt(), reading.wall < made else { return Finding(.clocks, .ok, text) }
      return Finding(
        .clocks, .wrong, text + ", which is before this program was made, at \(made)",
        advice: "set the clock; a run that is active across a restart of the machine relies on it")
    } catch {
      return Finding(.clocks, Failure(error))
    }
  }

  /// How much later than asked for a timer fires; `nil` if it does not.
  private static func lateness(_ clock: any ReadingClock) throws(SystemError) -> Duration? {
    let timer = try DeadlineTimer()
    let deadline = clock.now().boot + .milliseconds(5)
    try timer.arm(deadline)
    var entry = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
    let fired = try SystemError.check("poll") { unsafe poll(&entry, 1, 1000) }
    return fired == 1 ? clock.now().boot - deadline : nil
  }

  /// When the file of this program was written; `nil` where the kernel does not tell.
  private static func programMadeAt() -> Moment? {
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return nil }
    return Moment(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000)
  }
}
