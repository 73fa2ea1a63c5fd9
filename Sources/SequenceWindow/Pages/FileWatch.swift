import SequencePlatform

/// Follows a directory, or a file and the file that it links to, in GLib's main loop; waits for what doesn't exist yet.
final class FileWatch {
  private let path: String
  private let isDirectory: Bool
  private let onChange: () -> Void
  private var followed: [FollowedDirectory] = []

  /// - Throws: `SystemError` if the kernel's limit of watches is reached.
  init(_ path: String, isDirectory: Bool = false, onChange: @escaping () -> Void) throws {
    self.path = path
    self.isDirectory = isDirectory
    self.onChange = onChange
    try renew()
  }

  /// Follows the directories that the path leads to now.
  func renew() throws {
    var directories = [isDirectory ? path : directory(ofFileAt: path)]
    if !isDirectory, let target = resolvedPath(path).map(directory), target != directories[0] {
      directories.append(target)
    }
    guard followed.map(\.path) != directories || !followed.allSatisfy(\.isInPlace) else { return }
    followed = try directories.map { directory in
      // A watch that calls must not be freed by its own call.
      try FollowedDirectory(directory) { [weak self] in LoopSource.soon { [weak self] in self?.react() } }
    }
  }

  private func react() {
    // The directories that are watched stay so if that fails.
    try? renew()
    onChange()
  }
}

/// A directory whose files are followed, or the nearest one above it that exists.
private final class FollowedDirectory {
  let path: String
  private let watch: DirectoryWatch
  private let identity: FileIdentity?
  private var source: LoopSource?

  init(_ path: String, _ onChange: @escaping () -> Void) throws {
    self.path = path
    let nearest = FollowedDirectory.nearest(path)
    watch = try DirectoryWatch(path: nearest)
    identity = FileIdentity(path: nearest)
    source = LoopSource.readable(watch.descriptor) { [unowned self] in
      // If that fails, the directory is read again all the same.
      try? watch.drain()
      // Other files next to a missing directory mean nothing.
      if nearest == path || !isInPlace { onChange() }
    }
  }

  /// Whether the directory that would be followed now is the one that is followed.
  var isInPlace: Bool {
    identity != nil && FileIdentity(path: FollowedDirectory.nearest(path)) == identity
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
