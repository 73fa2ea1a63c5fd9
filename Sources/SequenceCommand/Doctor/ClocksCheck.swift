import CSequenceLinux
import Glibc
import Platform
import SequenceRunner

/// Checks that the clocks can be read, and that the wall clock can be right.
enum ClocksCheck {
  static func finding() -> Finding {
    do {
      let now = try SystemClock().now().wall
      let text = "the wall clock says \(now)"
      guard let made = programMadeAt(), now < made else { return Finding(.clocks, .ok, text) }
      return Finding(
        .clocks, .error, text + ", which is before this program was made, at \(made)",
        advice: "set the clock; a run that is active across a restart of the machine relies on it")
    } catch {
      return Finding(.clocks, Failure(error))
    }
  }

  /// When the file of this program was written; `nil` if the kernel does not tell.
  private static func programMadeAt() -> Moment? {
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return nil }
    return Moment(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000)
  }
}
