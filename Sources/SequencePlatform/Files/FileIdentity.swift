import CSequenceLinux
import Glibc

/// The identity of a file or directory, which distinguishes it from a later one with the same name.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let number: UInt

  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}
