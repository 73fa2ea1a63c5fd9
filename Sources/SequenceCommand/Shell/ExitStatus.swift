import SequenceRunner

/// The exit status of a command, which is a contract with scripts.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// The command succeeded; for a command that follows a run: the run finished.
  case done = 0
  /// No run is active, or it is in the wrong state.
  case nothingToActOn = 1
  /// `timer`, `run`, `attach`, `wait`: the run was stopped early.
  case stopped = 3
  /// The command line is wrong.
  case usage = 64
  /// The sequence file is wrong.
  case data = 65
  /// A requested service is unavailable.
  case unavailable = 69
  /// Reading or writing failed.
  case inputOutput = 74
  /// Another process keeps the store busy.
  case busy = 75
  /// Killed by SIGHUP, SIGINT or SIGTERM.
  case hangup = 129
  case interrupted = 130
  /// `run`, `attach`: the reader of the output is gone (the status of a program that SIGPIPE kills); the run continues.
  case unread = 141
  case terminated = 143

  /// The status of a command that followed a run until its end.
  init(_ ended: EndedRun) { self = ended.outcome == .finished ? .done : .stopped }
}
