import Glibc

/// Whether files are there.
enum FileExistence {
  /// Whether something is at a path, though it may not be possible to read it.
  static func isThere(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR
  }
}
