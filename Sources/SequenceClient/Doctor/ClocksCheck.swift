import CSequenceLinux
import Glibc
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// Checks that the clocks can be read, and that the wall clock is not before the date of the program.
enum ClocksCheck {
  static func finding() -> Finding {
    do {
      let now = try SystemClock().now().wall
      let text = LocalTime.text(of: now, withZone: true)
      guard let made = programMadeAt(), now < made else { return Finding(.clocks, .ok, text) }
      return Finding(
        .clocks, .error, "\(text), which is before this program was built (\(LocalTime.text(of: made)))",
        advice: "set the clock, because a run needs it to continue after a reboot")
    } catch {
      return Finding(.clocks, error)
    }
  }

  private static func programMadeAt() -> Moment? {
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return nil }
    return Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }
}
