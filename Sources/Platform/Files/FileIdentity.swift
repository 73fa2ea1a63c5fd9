import CSequenceLinux
import Glibc

/// Tells a file or a directory from another one that takes its name.
package struct FileIdentity: Equatable {
  private let device: UInt
  private let number: UInt

  /// The file at a path; `nil` if there is none that can be looked at.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}
