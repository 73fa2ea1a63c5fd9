package import SequencePlatform

package enum LoginStartError: ExplainedError, Equatable {
  case noHome
  /// The program belongs to no installation, which would have the file that starts it.
  case notInstalled(path: String)
  case missing(path: String)
  case foreign(path: String)
  case tooLong(path: String)
  /// Without systemd, only the state directory of the session can be served.
  case notOfSession(path: String)
  case serviceManager(String, Unit)

  package enum Unit: Equatable {
    /// It was created, but may not be enabled.
    case isInPlace(path: String)
    /// It was not removed, and may be enabled.
    case isLeft(path: String)
  }

  package var problem: Problem {
    switch self {
    case .noHome:
      Problem(
        "neither XDG_CONFIG_HOME nor HOME is an absolute path, so the directory for the file is unknown",
        remedy: "set HOME")
    case .notInstalled(let path):
      Problem(
        "\(quote(path)) is not installed, so nothing can start it at login",
        remedy: "run make install, and use that sequence")
    case .missing(let path):
      Problem("\(path) is missing, so the agent cannot be started at login", remedy: "install Sequence again")
    case .foreign(let path):
      Problem(
        "\(path) was not written by sequence agent install, so it was not changed",
        remedy: "move it to another place and try again")
    case .tooLong(let path):
      Problem(
        "the path \(quote(path)) is too long for the name of a systemd unit",
        remedy: "use a link to it with a shorter path")
    case .notOfSession(let path):
      Problem(
        "without systemd, the agent starts at login only for the state directory of your session, not for "
          + quote(path),
        remedy: "set SEQUENCE_STATE_DIR for the session, such as in ~/.profile")
    case .serviceManager(let failure, .isInPlace(let path)):
      Problem(
        "\(failure), and \(path) was written but may not be enabled",
        remedy: "run sequence agent install again")
    case .serviceManager(let failure, .isLeft(let path)):
      Problem("\(failure), and \(path) was not removed", remedy: "run sequence agent uninstall again")
    }
  }
}
