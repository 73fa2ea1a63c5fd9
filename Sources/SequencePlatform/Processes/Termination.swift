import CSequenceLinux
import Glibc

package enum Termination: Equatable, Sendable {
  case exit(Int32)
  case signal(Int32)

  /// - Parameter isCollected: whether to release the process id; until then no other process can have it.
  package static func wait(
    for process: Int32, collecting isCollected: Bool = true
  ) throws(SystemError) -> Termination {
    var (code, status) = (Int32(0), Int32(0))
    _ = try SystemError.check("waitid") {
      unsafe sequence_wait(process, isCollected ? 0 : WNOWAIT, &code, &status)
    }
    return code == CLD_EXITED ? .exit(status) : .signal(status)
  }
}
