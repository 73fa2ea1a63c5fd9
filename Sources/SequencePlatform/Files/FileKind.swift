import CSequenceLinux
import Glibc

package enum FileKind: Equatable {
  case nothing
  case directory
  /// A regular file, or a path that only reading can clarify: a dangling link, or an inaccessible file.
  case file
  case special

  /// Returns the kind of the file at a path; links are followed.
  package init(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        self = .file
        return
      }
      self = unsafe lstat(path, &status) == 0 ? .file : .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    default: self = .special
    }
  }
}
