import CSequenceLinux
import Glibc

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

  /// Prints a line to standard error; if that can't be written, nothing is left to report it to.
  package static func printError(_ line: String) { try? writeAll((line + "\n").utf8, to: STDERR_FILENO) }

  /// Whether standard output can be written to, as far as that is known before.
  package static var hasOutput: Bool {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Makes the keyboard of the controlling terminal standard input, once a pipe or file that was there has been read.
  ///
  /// - Returns: whether standard input and standard output are terminals now.
  package static func readKeyboard() -> Bool {
    guard isatty(STDOUT_FILENO) == 1 else { return false }
    do throws(SystemError) {
      let keyboard = try FileDescriptor(opening: "/dev/tty", O_RDWR)
      return dup2(keyboard.number, STDIN_FILENO) == STDIN_FILENO
    } catch {
      // Without a controlling terminal there are no keys, which is not an error.
      return false
    }
  }
}
