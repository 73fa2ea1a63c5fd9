import SequencePlatform
import SequenceFiles

extension ExitStatus {
  /// The sentence about a status in the manual.
  var meaning: String {
    switch self {
    case .done: "Success; for `timer`, `run` and `wait`: the run finished."
    case .nothingToActOn: "Nothing to act on: no run is active, or it is in the wrong state."
    case .stopped: "`timer`, `run`, `attach`, `wait`: the run was stopped early."
    case .usage: "The command line is wrong."
    case .data: "The sequence file is wrong."
    case .unavailable: "A requested service is unavailable; `doctor`: something that is needed is wrong."
    case .inputOutput: "Reading or writing failed."
    case .busy: "Another process keeps the store busy; try again."
    case .hangup: "Killed by SIGHUP; the run keeps going."
    case .interrupted:
      "Killed by SIGINT; `timer` and `run` pause their run, every other command leaves it going."
    case .unread: "`timer`, `run`, `attach`: the reader of the output is gone; the run keeps going."
    case .terminated:
      "Killed by SIGTERM; `timer` and `run` pause their run, every other command leaves it going."
    }
  }
}
