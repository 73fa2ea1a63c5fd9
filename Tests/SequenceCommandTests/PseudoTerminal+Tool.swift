import Glibc
import SequencePlatform
import TestSupport

extension PseudoTerminal {
  func show(_ tool: Tool, _ words: [String]) throws -> pid_t {
    try spawn([BuiltProducts.path(of: "sequence")] + words, tool)
  }

  /// Starts a script of a shell with job control on the terminal; `"$0"` is the program.
  func script(_ tool: Tool, _ text: String) throws -> pid_t {
    try spawn(["/bin/bash", "-c", "set -m; \(text)", BuiltProducts.path(of: "sequence")], tool)
  }

  private func spawn(_ words: [String], _ tool: Tool) throws -> pid_t {
    var environment = tool.environment
    environment["TERM"] = "xterm"
    let file = Subprocess.Stream.path(path, flags: O_RDWR)
    return try Subprocess.spawn(
      words,
      environment: environment.merging(Sanitizer.environment) { own, _ in own }.map { "\($0)=\($1)" },
      streams: (file, file, file))
  }
}
