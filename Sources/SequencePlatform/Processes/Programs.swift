import CSequenceLinux
import Glibc

/// Replaces this process by a program; returns only by throwing.
///
/// - Parameter words: the name that the program is called by, and its arguments.
package func replaceThisProcess(by program: String, _ words: [String]) throws(SystemError) {
  // A signal that is ignored stays ignored in the program, and in all that it starts.
  let handler = signal(SIGPIPE, SIG_DFL)
  _ = unsafe withCStrings(words) { words in unsafe execv(program, words) }
  let error = SystemError(call: "run \(program)", code: errno)
  _ = signal(SIGPIPE, handler)
  throw error
}

/// Returns the path of a program: the program itself if it is a path, else its path in a directory of `PATH`.
///
/// - Parameter directories: the value of `PATH`; directories in it that are relative mean nothing to a process that
///   works anywhere.
/// - Returns: `nil` if there is none that may be run.
package func findProgram(_ name: String, in directories: String?) -> String? {
  guard !name.unicodeScalars.contains("/") else { return isProgram(name) ? name : nil }
  return (directories ?? "/usr/bin:/bin").split(separator: ":").filter { isAbsolute($0) }
    .map { "\($0)/\(name)" }.first(where: isProgram)
}

/// Returns the possible paths of a program of this installation: next to the running program, or in `libexec` or `bin`.
package func installedPaths(of name: String) throws(SystemError) -> [String] {
  installedPaths(of: name, with: try linkTarget("/proc/self/exe"))
}

package func installedPaths(of name: String, with program: String) -> [String] {
  let folder = pathParts(program).dropLast()
  let isInside = folder.suffix(2) == ["libexec", "sequence"]
  let other = isInside ? folder.dropLast(2) + ["bin"] : folder.dropLast() + ["libexec", "sequence"]
  return [folder, other].map { "/" + ($0 + [name]).joined(separator: "/") }
}

package func installedProgram(_ name: String) throws(SystemError) -> String? {
  try installedPaths(of: name).first(where: isProgram)
}

/// Returns the possible paths of a file below `share` of this installation, or of the sources if it isn't installed.
///
/// - Parameter file: the path below `share`.
package func sharedPaths(of file: String) throws(SystemError) -> [String] {
  let folder = pathParts(try linkTarget("/proc/self/exe")).dropLast()
  // From `bin`, from `libexec/sequence` or `.build/programs`, and from `.build/TRIPLE/debug`.
  return (1...3).map { "/" + (folder.dropLast($0) + ["share", file]).joined(separator: "/") }
}

package func linkTarget(_ path: String) throws(SystemError) -> String {
  let size = Int(PATH_MAX)
  var bytes = [CChar](repeating: 0, count: size)
  let count = try SystemError.check("read \(path)") { unsafe readlink(path, &bytes, size) }
  return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

private func isProgram(_ path: String) -> Bool {
  var status = stat()
  guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
  return unsafe access(path, X_OK) == 0
}

/// Calls with an array of C strings, ended by a null pointer.
package func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let bytes = strings.map { Array($0.utf8CString) }
  let size = bytes.reduce(0) { $0 + $1.count }
  let storage = UnsafeMutablePointer<CChar>.allocate(capacity: size)
  defer { unsafe storage.deallocate() }
  var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
  var offset = 0
  for string in bytes {
    unsafe storage.advanced(by: offset).initialize(from: string, count: string.count)
    unsafe pointers.append(storage + offset)
    offset += string.count
  }
  unsafe pointers.append(nil)
  return unsafe pointers.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array ends with a null pointer") }
    return unsafe body(base)
  }
}

package enum DescriptorLimit {
  /// The usual limit; programs that this process starts may not be prepared for more.
  private static let usual: rlim_t = 1024

  /// Raises a limit that is lower than usual, as far as the system allows it.
  ///
  /// - Throws: `SystemError` if this process can't have `fewest` descriptors.
  package static func raise(toAtLeast fewest: Int) throws(SystemError) {
    var limit = rlimit()
    _ = try SystemError.check("getrlimit") {
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    if limit.rlim_cur < usual {
      limit.rlim_cur = min(usual, limit.rlim_max)
      _ = try SystemError.check("setrlimit") {
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      }
    }
    guard limit.rlim_cur >= fewest else {
      throw SystemError(call: "open \(fewest) files with ulimit -n \(limit.rlim_cur)", code: EMFILE)
    }
  }
}
