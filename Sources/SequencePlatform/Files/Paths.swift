import Glibc

/// A path that doesn't depend on the working directory; the path itself if that was removed.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let directory = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(directory) }
  return unsafe String(cString: directory) + "/" + path
}
