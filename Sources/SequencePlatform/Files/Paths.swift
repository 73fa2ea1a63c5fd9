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
