import SequencePlatform

/// Checks whether the session finds the installed command.
enum PathCheck {
  private static let place = "/libexec/sequence/sequence-agent"

  /// Returns a warning; `nil` if the command is found, or if it isn't installed.
  static func finding(_ environment: EnvironmentVariables, agent: String?) -> Finding? {
    guard let agent, agent.hasSuffix(place), findProgram("sequence", in: environment["PATH"]) == nil else {
      return nil
    }
    let directory = agent.dropLast(place.count) + "/bin"
    return Finding(
      .path, .warning, "\(directory) is not in PATH",
      advice: "log in again, or add this line to ~/.profile first: PATH=\"\(directory):$PATH\"")
  }
}
