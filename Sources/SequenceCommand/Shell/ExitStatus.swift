/// How a command ends; scripts rely on the numbers.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// It is done; for `run` and `wait`: the run finished.
  case done = 0
  /// There is nothing to act on, or it is in the wrong state.
  case nothingToActOn = 1
  /// `run`, `wait`: the run was stopped before its end.
  case stopped = 3
  /// The command line is wrong.
  case usage = 64
  /// The sequence file is wrong.
  case data = 65
  /// A service that was asked for is not there.
  case unavailable = 69
  /// Reading or writing failed.
  case inputOutput = 74
  /// Somebody else is at it: try again.
  case busy = 75
  /// Ended by SIGHUP, SIGINT or SIGTERM.
  case hangup = 129
  case interrupted = 130
  /// `run`, `attach`: nobody reads the output any more, which ends other programs by SIGPIPE; the run goes on.
  case unread = 141
  case terminated = 143
}
