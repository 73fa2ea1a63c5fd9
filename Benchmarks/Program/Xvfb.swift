import TestSupport

final class Xvfb {
  let display: String
  private let child: ChildProcess

  init() throws {
    child = try ChildProcess(
      "/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
      environment: ["PATH": "/usr/bin:/bin"])
    display = ":" + (try child.line())
  }
}
