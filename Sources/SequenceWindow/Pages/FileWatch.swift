import SequencePlatform

/// Follows a file that other programs write, replace or create, and the file that it links to.
final class FileWatch {
  private let path: String
  private let onChange: () -> Void
  private var watches: [(directory: String, watch: LibraryWatch)] = []

  /// - Throws: `SystemError` if the kernel's limit of watches is reached.
  init(_ path: String, onChange: @escaping () -> Void) throws {
    self.path = path
    self.onChange = onChange
    try renew()
  }

  /// Follows the directories that the file and its target are in now.
  private func renew() throws {
    var directories: [String] = []
    for path in [path, resolvedPath(path) ?? path] {
      let directory = directory(ofFileAt: path)
      if !directories.contains(directory) { directories.append(directory) }
    }
    guard watches.map(\.directory) != directories || !watches.allSatisfy({ $0.watch.isInPlace($0.directory) })
    else { return }
    watches = try directories.map { directory in
      // A watch that calls must not be freed by its own call.
      (
        directory,
        try LibraryWatch(directory) { [weak self] in LoopSource.soon { [weak self] in self?.react() } }
      )
    }
  }

  private func react() {
    // The directories that are watched stay so if that fails.
    try? renew()
    onChange()
  }
}
