import Platform

/// Follows the files of the library in GLib's main loop.
final class LibraryWatch {
  private let watch: DirectoryWatch
  private let identity: FileIdentity?
  private var source: LoopSource?

  /// Follows a directory; returns `nil` if it doesn't exist yet.
  init?(_ path: String, _ onChange: @escaping () -> Void) throws {
    guard FileKind(of: path) == .directory else { return nil }
    watch = try DirectoryWatch(path: path)
    identity = FileIdentity(path: path)
    source = LoopSource.readable(watch.descriptor) { [unowned self] in
      // If that fails, the directory is read again all the same.
      try? watch.drain()
      onChange()
    }
  }

  /// Whether the directory at a path is the one that is followed.
  func isInPlace(_ path: String) -> Bool { identity != nil && FileIdentity(path: path) == identity }
}
