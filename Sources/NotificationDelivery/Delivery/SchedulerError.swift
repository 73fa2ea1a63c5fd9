public import FoundationEssentials
public import Platform
import Store

/// The reason why a scheduler can't be made.
public enum SchedulerError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// Another process, or another scheduler of this one, delivers from the directory of this path.
  case directoryInUse(String)
  /// The process has a scheduler on the desktop of the session already, and libnotify serves only one.
  case processInUse
  /// The store has another clock than its test desktop.
  case otherClock

  /// Why the scheduler cannot be made.
  public var problem: String {
    switch self {
    case .directoryInUse(let path):
      "the notifications in \(path) are shown by another scheduler or agent already"
    case .processInUse: "this process has another scheduler"
    case .otherClock: "the store has another clock than its test desktop"
    }
  }

  /// What would be possible.
  public var remedy: String? {
    switch self {
    case .directoryInUse: "use another directory, or shut the other one down"
    case .processInUse: "wait for shutdown() of the other one first"
    case .otherClock: "open it with openStore() of the desktop, or with its clock"
    }
  }
}
