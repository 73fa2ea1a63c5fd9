import SequencePlatform

/// Follows the files of the library in GLib's main loop, or waits for the library if it doesn't exist yet.
final class LibraryWatch {
  private let watch: DirectoryWatch
  private let identity: FileIdentity?
  private var source: LoopSource?

  /// Follows a directory, or the nearest one above it that exists.
  init(_ path: String, _ onChange: @escaping () -> Void) throws {
    let followed = LibraryWatch.nearest(path)
    watch = try DirectoryWatch(path: followed)
    identity = FileIdentity(path: followed)
    source = LoopSource.readable(watch.descriptor) { [unowned self] in
      // If that fails, the directory is read again all the same.
      try? watch.drain()
      // Other files next to a library that is missing mean nothing.
      if followed == path || !isInPlace(path) { onChange() }
    }
  }

  /// Whether the directory that would be followed for a path is the one that is followed.
  func isInPlace(_ path: String) -> Bool {
    identity != nil && FileIdentity(path: LibraryWatch.nearest(path)) == identity
  }

  private static func nearest(_ path: String) -> String {
    var path = path
    while FileKind(of: path) != .directory, let slash = path.unicodeScalars.lastIndex(of: "/") {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
      if path == "/" { break }
    }
    return path
  }
}
