import SequenceRunner

/// A key of a media player, by its method in MPRIS.
enum PanelKey: String, Sendable {
  case play = "Play"
  case pause = "Pause"
  case playPause = "PlayPause"
  case stop = "Stop"
  case next = "Next"
  case previous = "Previous"

  /// What it does to the current run.
  var command: RunCommand {
    switch self {
    case .play: .resume()
    // A phone that stops all players must not end a run.
    case .pause, .stop: .pause
    case .playPause: .toggle
    case .next: .next
    case .previous: .back
    }
  }
}
