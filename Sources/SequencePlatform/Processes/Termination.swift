import CSequenceLinux
import Glibc

/// How a program ended.
package enum Termination: Equatable, Sendable {
  /// It exited with a status.
  case exit(Int32)
  /// A signal ended it.
  case signal(Int32)

  /// Waits for the end of a child.
  ///
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
