import CSequenceLinux
import Glibc

/// The three descriptors that a program inherits.
package enum StandardStreams {
  /// Opens `/dev/null` for each of them that is closed, so that no other file gets its number and its output.
  ///
  /// It is opened for the wrong direction, so that reading or writing fails as on a closed descriptor.
  package static func fillGaps() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // A failure leaves the descriptor closed, as it was.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether standard output can be written to, as far as that is known before.
  package static var hasOutput: Bool {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }
}
