public import FoundationEssentials
public import SequencePlatform
package import SequenceStore

/// The reason why a scheduler or a notifier can't be made, or a store can't be used with it.
@nonexhaustive
public enum SchedulerError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// Another process, or another scheduler of this one, delivers from the directory of this path.
  case directoryInUse(String)
  /// The store has another clock than its test desktop.
  case otherClock
  /// Runs and their notifications are in the directory of this path, so a program can't schedule its own there.
  case directoryOfRuns(String)
  /// A program has scheduled notifications in the directory of this path, so those of runs can't be shown from there.
  case directoryOfProgram(String)

  /// Why the scheduler cannot be made, and what would be possible.
  public var problem: Problem {
    switch self {
    case .directoryInUse(let path):
      Problem(
        "the notifications in \(path) are shown by another scheduler or agent already",
        remedy: "use another directory, or shut the other one down")
    case .otherClock:
      Problem(
        "the store has another clock than its test desktop",
        remedy: "open it with openStore() of the desktop, or with its clock")
    case .directoryOfRuns(let path):
      Problem(
        "\(path) is for the notifications of runs",
        remedy: "use another directory for the notifications of a program")
    case .directoryOfProgram(let path):
      Problem(
        "\(path) has notifications that belong to no run", remedy: "use another directory for runs")
    }
  }
}

extension SchedulerError {
  /// Refuses a directory with runs, whose notifier knows no others; writes nothing.
  package static func requireNoRuns(in directory: StateDirectory) throws(SchedulerError) {
    guard !components(in: directory).contains("runs") else { throw .directoryOfRuns(directory.path) }
  }

  /// Refuses a directory with the notifications of a program; writes nothing.
  package static func requireNoProgram(in directory: StateDirectory) throws(SchedulerError) {
    let components = components(in: directory)
    guard !components.contains("notifications") || components.contains("runs") else {
      throw .directoryOfProgram(directory.path)
    }
  }

  /// The names of the components that have tables in the store.
  ///
  /// None if there is no store, or if it can't be read: opening it reports the reason.
  private static func components(in directory: StateDirectory) -> Set<String> {
    guard directory.hasStore else { return [] }
    do throws(StoreError) {
      return Set(try Database.untouched(directory.databasePath).componentVersions().map(\.name))
    } catch {
      return []
    }
  }
}
