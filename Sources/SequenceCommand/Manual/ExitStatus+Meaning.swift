import Platform
import SequenceFiles

extension ExitStatus {
  /// What a status says of the command.
  var meaning: String {
    switch self {
    case .done: "Done; for `run` and `wait`: the run finished."
    case .nothingToActOn: "There is nothing to act on: no active run, or it is in the wrong state."
    case .stopped: "`run`, `wait`: the run was stopped before its end."
    case .usage: "The command line is wrong."
    case .data: "The sequence file is wrong."
    case .unavailable:
      "A service that was asked for is not there; `doctor`: something that is needed is wrong."
    case .inputOutput: "ClockReading or writing failed."
    case .busy: "Somebody else keeps the store busy: try again."
    case .hangup: "Ended by SIGHUP; the run goes on."
    case .interrupted: "Ended by SIGINT; `run` has paused the run, after others it goes on."
    case .unread: "`run`, `attach`: nobody reads the output any more; the run goes on."
    case .terminated: "Ended by SIGTERM; `run` has paused the run, after others it goes on."
    }
  }
}
