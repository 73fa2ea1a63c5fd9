import CSequenceAdwaita
import SequencePlatform
import Synchronization

/// Something that GLib's main loop calls, until it is cancelled or freed.
final class LoopSource {
  private var identifier: guint

  private init(_ identifier: guint) { self.identifier = identifier }

  deinit { cancel() }

  /// Calls a handler again and again: a source that ended by itself would be cancelled twice.
  private static let repeatedly: GSourceFunc = { data in
    unsafe Handler<() -> Void>.of(data)?.body()
    return 1
  }

  func cancel() {
    guard identifier != 0 else { return }
    g_source_remove(identifier)
    identifier = 0
  }

  static func readable(_ descriptor: Int32, _ handler: @escaping () -> Void) -> LoopSource {
    let call: GUnixFDSourceFunc = { _, _, data in
      unsafe Handler<() -> Void>.of(data)?.body()
      return 1
    }
    return LoopSource(
      unsafe g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, descriptor, G_IO_IN, call, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  static func signal(_ number: Int32, _ handler: @escaping () -> Void) -> LoopSource {
    return LoopSource(
      unsafe g_unix_signal_add_full(
        G_PRIORITY_DEFAULT, number, repeatedly, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler each time a number of seconds has passed, until it is cancelled.
  static func after(seconds: Int, _ handler: @escaping () -> Void) -> LoopSource {
    return LoopSource(
      unsafe g_timeout_add_seconds_full(
        G_PRIORITY_DEFAULT, guint(seconds), repeatedly, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler each time a number of milliseconds has passed, until it is cancelled.
  static func after(milliseconds: Int, _ handler: @escaping () -> Void) -> LoopSource {
    return LoopSource(
      unsafe g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(milliseconds), repeatedly, Handler(handler).retained,
        { unsafe releaseHandler($0) }))
  }

  /// Calls a handler once, before the next frame is laid out.
  ///
  /// What is changed while widgets get their sizes would be lost.
  static func soon(_ handler: @escaping () -> Void) { idle(G_PRIORITY_HIGH_IDLE, handler) }

  /// Calls a handler once the widgets have their places.
  static func afterLayout(_ handler: @escaping () -> Void) { idle(G_PRIORITY_DEFAULT_IDLE, handler) }

  private static func idle(_ priority: gint, _ handler: @escaping () -> Void) {
    let call: GSourceFunc = { data in
      unsafe Handler<() -> Void>.of(data)?.body()
      return 0
    }
    unsafe g_idle_add_full(
      priority, call, Handler(handler).retained, { unsafe releaseHandler($0) })
  }
}

enum Background {
  /// Does work on a thread of its own, and hands the result over in the main loop.
  static func run<Result: Sendable>(
    _ name: String, _ work: @escaping @Sendable () -> Result, then deliver: @escaping (Result) -> Void
  ) {
    let job = Job(work, deliver)
    // The thread runs detached; GLib ends the program if it cannot start one.
    let thread = unsafe g_thread_new(
      name, { unsafe Background.perform($0) }, Unmanaged.passRetained(job).toOpaque())
    unsafe g_thread_unref(thread)
  }

  /// Runs on the thread of the work.
  private static func perform(_ data: gpointer?) -> gpointer? {
    guard let data = unsafe data else { return nil }
    unsafe Unmanaged<AnyJob>.fromOpaque(data).takeUnretainedValue().work()
    let call: GSourceFunc = { data in
      guard let data = unsafe data else { return 0 }
      // The closures belong to the main loop, and end there.
      unsafe Unmanaged<AnyJob>.fromOpaque(data).takeRetainedValue().deliver()
      return 0
    }
    unsafe g_idle_add(call, data)
    return nil
  }
}

/// Work and what follows it, without the type of the result.
private class AnyJob {
  func work() {}
  func deliver() {}
}

private final class Job<Result: Sendable>: AnyJob {
  private let body: @Sendable () -> Result
  private let receiver: (Result) -> Void
  private let result = Mutex<Result?>(nil)

  init(_ body: @escaping @Sendable () -> Result, _ receiver: @escaping (Result) -> Void) {
    self.body = body
    self.receiver = receiver
  }

  override func work() {
    let made = body()
    result.withLock { $0 = made }
  }

  override func deliver() {
    if let made = result.withLock({ $0 }) { receiver(made) }
  }
}

/// Follows a directory, or a file and the file that it links to, in GLib's main loop; waits for what doesn't exist yet.
final class FileWatch {
  private let path: String
  private let isDirectory: Bool
  private let onChange: () -> Void
  private var followed: [FollowedDirectory] = []

  /// - Throws: `SystemError` if the kernel's limit of watches is reached.
  init(_ path: String, isDirectory: Bool = false, onChange: @escaping () -> Void) throws(SystemError) {
    self.path = path
    self.isDirectory = isDirectory
    self.onChange = onChange
    try renew()
  }

  /// Follows the directories that the path leads to now.
  func renew() throws(SystemError) {
    var directories = [isDirectory ? path : directory(ofFileAt: path)]
    if !isDirectory, let target = resolvedPath(path).map(directory), target != directories[0] {
      directories.append(target)
    }
    guard followed.map(\.path) != directories || !followed.allSatisfy(\.isInPlace) else { return }
    followed = try directories.map { directory throws(SystemError) in
      // A watch that calls must not be freed by its own call.
      try FollowedDirectory(directory) { [weak self] in LoopSource.soon { [weak self] in self?.react() } }
    }
  }

  private func react() {
    do throws(SystemError) {
      try renew()
    } catch {
      // The directories that are watched stay so.
    }
    onChange()
  }
}

/// A directory whose files are followed, or the nearest one above it that exists.
private final class FollowedDirectory {
  let path: String
  private let watch: DirectoryWatch
  private let identity: FileIdentity?
  private var source: LoopSource?

  init(_ path: String, _ onChange: @escaping () -> Void) throws(SystemError) {
    self.path = path
    var nearest = FollowedDirectory.nearest(path)
    var identity = FileIdentity(path: nearest)
    var watch = try DirectoryWatch(path: nearest)
    // What changed before the directory was watched makes no event.
    while case let now = FollowedDirectory.nearest(path),
      now != nearest || FileIdentity(path: now) != identity
    {
      nearest = now
      identity = FileIdentity(path: nearest)
      watch = try DirectoryWatch(path: nearest)
    }
    let isWhole = nearest == path
    self.identity = identity
    self.watch = watch
    source = LoopSource.readable(self.watch.descriptor) { [unowned self] in
      do throws(SystemError) {
        try self.watch.drain()
      } catch {
        // The directory is read again all the same.
      }
      // Other files next to a missing directory mean nothing.
      if isWhole || !isInPlace { onChange() }
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

/// Follows whether a program on the session bus has a name, until it is freed.
final class BusName {
  private let identifier: guint

  /// - Parameter onChange: called with whether a program has the name: soon, and after each change.
  init(_ name: String, onChange: @escaping (Bool) -> Void) {
    identifier = unsafe g_bus_watch_name(
      G_BUS_TYPE_SESSION, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, _, data in unsafe Handler<(Bool) -> Void>.of(data)?.body(true) },
      { _, _, data in unsafe Handler<(Bool) -> Void>.of(data)?.body(false) }, Handler(onChange).retained,
      { unsafe releaseHandler($0) })
  }

  deinit { g_bus_unwatch_name(identifier) }
}
