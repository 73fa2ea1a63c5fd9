import Glibc
import Platform
import TestSupport

extension PseudoTerminal {
  /// Starts a command of a tool on the terminal.
  func show(_ tool: Tool, _ words: [String]) throws -> pid_t {
    var environment = tool.environment
    environment["TERM"] = "xterm"
    let file = Subprocess.Stream.path(path, flags: O_RDWR)
    return try Subprocess.spawn(
      [BuiltProducts.path(of: "sequence")] + words,
      environment: environment.merging(Sanitizer.environment) { own, _ in own }.map { "\($0)=\($1)" },
      streams: (file, file, file))
  }
}
