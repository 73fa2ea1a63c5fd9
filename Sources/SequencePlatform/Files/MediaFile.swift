import CSequenceLinux
import Glibc

package enum MediaFile {
  /// The largest file that is used, in bytes: it is loaded as a whole.
  package static let largest = 10 << 20

  /// Returns why a file can't be used, in words; `nil` if it can.
  package static func problem(_ path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else { return "cannot be read" }
    guard status.st_mode & S_IFMT == S_IFREG else { return "is not a regular file" }
    guard status.st_size <= largest else { return "is larger than 10 MiB" }
    return nil
  }
}
