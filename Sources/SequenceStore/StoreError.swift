public import FoundationEssentials
public import SequencePlatform

/// A failure of the store.
@nonexhaustive
public enum StoreError: ExplainedError, Equatable, Sendable {
  /// The directory or a file in it cannot be made, opened or locked.
  case inaccessible(path: String, reason: LocalizedText)
  /// The environment doesn't name the user's directories: not even `HOME` is set.
  case noHome
  /// Another process kept the store to itself for longer than it was waited for.
  case busy(path: String)
  /// There is no room left on the disk.
  case full(path: String)
  /// The disk or the file cannot be written.
  case readOnly(path: String)
  /// Reading or writing failed.
  case inputOutput(path: String, reason: LocalizedText)
  /// The stored data is not as it was written.
  case damaged(path: String, reason: LocalizedText)
  /// A newer program made the store; it was left untouched.
  case newer(path: String, reason: LocalizedText)
  /// The file is a database of another program; it was left untouched.
  case foreign(path: String)
  /// The store has something that the way in which it was to be opened doesn't know; nothing was changed.
  case unsuitable(path: String, content: LocalizedText, remedy: LocalizedText)
  /// Another process put another store in its place; nothing was changed.
  case replaced(path: String)
  /// SQLite refused something that this program should not have asked for.
  case unexpected(path: String, reason: LocalizedText)

  /// Whether only a check of the whole store can tell if it is damaged.
  ///
  /// A sound store whose constraints are violated is a mistake of the program, but a damaged index does the same.
  package var suggestsDamage: Bool {
    switch self {
    case .damaged, .unexpected: true
    case .inaccessible, .noHome, .busy, .full, .readOnly, .inputOutput, .newer, .foreign, .unsuitable,
      .replaced:
      false
    }
  }

  /// The path, why it cannot be used, and the way to make it usable.
  public var problem: Problem {
    switch self {
    case .inaccessible(let path, let reason):
      Problem("\(path) cannot be used: \(reason)", remedy: "check its permissions")
    case .noHome: Problem("HOME is not set, so the state directory is unknown", remedy: "set HOME")
    case .busy(let path): Problem("\(path) is kept busy by another process", remedy: "try again")
    case .full(let path):
      Problem(
        "the disk is full, so \(path) cannot be written", remedy: "free some space and try again")
    case .readOnly(let path): Problem("\(path) cannot be written", remedy: "make it writable")
    case .inputOutput(let path, let reason): Problem("\(path): \(reason)", remedy: "check the disk")
    case .damaged(let path, let reason):
      Problem("\(path) is damaged: \(reason)", remedy: "move it away and try again")
    case .newer(let path, let reason):
      Problem("\(path) was made by a newer version: \(reason)", remedy: "update this program")
    case .foreign(let path): Problem("\(path) belongs to another program", remedy: "use another directory")
    case .unsuitable(let path, let content, let remedy): Problem("\(path) has \(content)", remedy: remedy)
    case .replaced(let path): Problem("\(path) was replaced by another process", remedy: "try again")
    case .unexpected(let path, let reason): Problem("\(path): \(reason)", remedy: "please report this")
    }
  }

  /// Whether another attempt may succeed without a change of the store.
  package var mayPass: Bool {
    switch self {
    case .busy, .full, .readOnly, .inputOutput, .replaced: true
    case .inaccessible, .noHome, .damaged, .newer, .foreign, .unsuitable, .unexpected: false
    }
  }
}

/// Errors have their sentence in Foundation's `localizedDescription` too.
extension LocalizedError where Self: ExplainedError {
  /// The problem and the remedy in one line.
  public var errorDescription: String? { description }
}

extension Problem: LocalizedError {}
extension StoreError: LocalizedError {}
extension SystemError: LocalizedError {}
