public import SequencePlatform

/// A failure of the store.
@nonexhaustive
public enum StoreError: ExplainedError, Equatable, Sendable {
  /// The directory or a file in it cannot be made, opened or locked.
  case inaccessible(path: String, reason: String)
  /// The environment doesn't name the user's directories: not even `HOME` is set.
  case noHome
  /// Another process kept the store to itself for longer than it was waited for.
  case busy(path: String)
  /// There is no room left on the disk.
  case full(path: String)
  /// The disk or the file cannot be written.
  case readOnly(path: String)
  /// Reading or writing failed.
  case inputOutput(path: String, reason: String)
  /// The stored data is not as it was written.
  case damaged(path: String, reason: String)
  /// A newer program made the store; it was left untouched.
  case newer(path: String, reason: String)
  /// The file is a database of another program; it was left untouched.
  case foreign(path: String)
  /// Another process put another store in its place; nothing was changed.
  case replaced(path: String)
  /// SQLite refused something that this program should not have asked for.
  case unexpected(path: String, reason: String)

  /// Whether only a check of the whole store can tell if it is damaged.
  ///
  /// A sound store whose constraints are violated is a mistake of the program, but a damaged index does the same.
  package var suggestsDamage: Bool {
    switch self {
    case .damaged, .unexpected: true
    case .inaccessible, .noHome, .busy, .full, .readOnly, .inputOutput, .newer, .foreign, .replaced: false
    }
  }

  /// The path and why it cannot be used.
  public var problem: String {
    switch self {
    case .inaccessible(let path, let reason): "\(path) cannot be used: \(reason)"
    case .noHome: "HOME is not set, so the state directory is unknown"
    case .busy(let path): "\(path) is kept busy by another process"
    case .full(let path): "the disk is full, so \(path) cannot be written"
    case .readOnly(let path): "\(path) cannot be written"
    case .inputOutput(let path, let reason): "\(path): \(reason)"
    case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
    case .newer(let path, let reason): "\(path) was made by a newer version: \(reason)"
    case .foreign(let path): "\(path) belongs to another program"
    case .replaced(let path): "\(path) was replaced by another process"
    case .unexpected(let path, let reason): "\(path): \(reason)"
    }
  }

  /// The way to make the store usable.
  public var remedy: String? {
    switch self {
    case .inaccessible: "check its permissions"
    case .noHome: "set HOME"
    case .busy, .replaced: "try again"
    case .full: "free some space and try again"
    case .readOnly: "make it writable"
    case .inputOutput: "check the disk"
    case .damaged: "move it away and try again"
    case .newer: "update this program"
    case .foreign: "use another directory"
    case .unexpected: "please report this"
    }
  }

  /// Whether another attempt may succeed without a change of the store.
  package var mayPass: Bool {
    switch self {
    case .busy, .full, .readOnly, .inputOutput, .replaced: true
    case .inaccessible, .noHome, .damaged, .newer, .foreign, .unexpected: false
    }
  }
}
