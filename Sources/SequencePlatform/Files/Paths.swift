import CSequenceLinux
import Glibc

package func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == UInt8(ascii: "/") }

/// To the file system a slash is a byte; a combining mark behind it makes one `Character` of the two.
package func pathParts(_ path: String) -> [String] {
  path.unicodeScalars.split(separator: "/").map(String.init)
}

/// A path that doesn't depend on the working directory; the path itself if that was removed.
package func absolutePath(_ path: String) -> String {
  guard !isAbsolute(path), let directory = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(directory) }
  return unsafe String(cString: directory) + "/" + path
}

/// Creates a directory and its parents with access for the owner only; an existing directory is left unchanged.
package func makeDirectory(_ path: String) throws(SystemError) {
  var status = stat()
  // Nearly always it is there.
  if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
  var made = isAbsolute(path) ? "/" : ""
  for part in pathParts(path) {
    made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
    do throws(SystemError) {
      _ = try SystemError.check("create the directory \(made)") { unsafe mkdir(made, 0o700) }
    } catch  where error.code == EEXIST {
      continue
    }
  }
  // A file in its place would be noticed only at its first use, with a less helpful error.
  _ = try SystemError.check("read the status of \(path)") { unsafe stat(path, &status) }
  guard status.st_mode & S_IFMT == S_IFDIR else {
    throw SystemError(call: "use \(path) as a directory", code: ENOTDIR)
  }
}

/// Returns the directory of a file, without the slash at its end; `.` for a name alone.
package func directory(ofFileAt path: String) -> String {
  path.unicodeScalars.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
}

/// Ends a umask that takes the rights of the owner away: the files of this process would be of no use to it.
package func keepOwnerRights() {
  let mask = umask(0o077)
  _ = umask(mask & ~mode_t(0o700))
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
