import CLinux
import Glibc

/// What is at a path, as far as it matters to whoever wants to read it.
package enum FileKind: Equatable {
  case nothing
  case directory
  /// A file, or what only reading can tell: a link that leads nowhere, or what this user may not look at.
  case file
  /// A pipe, a socket or a device.
  case special

  /// What is at a path; links are followed.
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

/// The names of the files in a directory, in no order; none if it is not there.
package func fileNames(inDirectory path: String) throws(SystemError) -> [String] {
  guard let directory = unsafe opendir(path) else {
    guard errno == ENOENT else { throw SystemError(call: "open \(path)", code: errno) }
    return []
  }
  defer { _ = unsafe closedir(directory) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = unsafe readdir(directory) else {
      guard errno == 0 else { throw SystemError(call: "read \(path)", code: errno) }
      return names
    }
    // Only as much of the name is there as it is long, so the tuple that it is declared as is never copied.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = unsafe UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    unsafe names.append(String(cString: start))
  }
}
