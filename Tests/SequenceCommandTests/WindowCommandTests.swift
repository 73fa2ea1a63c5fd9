import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// `sequence window` without the window, which is a package of its own.
@Suite struct WindowCommandTests {
  @Test func `the menu entry opens a terminal that is installed`() throws {
    let directory = try TemporaryDirectory()
    let environment = EnvironmentVariables(["PATH": directory.path])
    #expect(WindowCommand.terminal(environment: environment) == nil)
    for (name, separator) in [("x-terminal-emulator", ["-e"]), ("xdg-terminal-exec", [])] {
      let program = try directory.write("", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      let words = try #require(WindowCommand.terminal(environment: environment))
      #expect(Array(words.dropLast()) == [program] + separator + ["/bin/sh", "-c"])
      #expect(words.last?.hasSuffix("; sequence attach || exec \"${SHELL:-/bin/sh}\"") == true)
    }
  }

  @Test func `the terminal shows the run of the same state directory, and can ask whether to stop it`() throws
  {
    let directory = try TemporaryDirectory()
    let program = try directory.write("#!/bin/sh\nexec \"$@\"\n", to: "xdg-terminal-exec")
    let stand = try directory.write("#!/bin/sh\necho \"$1 in $SEQUENCE_STATE_DIR\"\n", to: "sequence")
    for path in [program, stand] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let environment = ["PATH": directory.path + ":/usr/bin:/bin"]
    for (asksStop, answer, lines) in [
      (false, "", ["attach in /d"]), (true, "y\n", ["Stop the run? [y/N] stop in /d"]),
      (true, "\n", ["Stop the run? [y/N] "]),
    ] {
      let words = try #require(
        WindowCommand.terminal(
          environment: EnvironmentVariables(environment), StateDirectory(path: "/d"), asksStop: asksStop))
      let shown = try ChildProcess.run(
        words[0], Array(words.dropFirst()), environment: environment, input: answer)
      #expect(shown.text.split(separator: "\n").map(String.init) == lines, "\(shown)")
    }
  }

  /// Runs a copy of the program, next to which there is no window, with a terminal that is a script.
  private func window(_ words: [String], terminal script: String) throws -> ChildProcess.Output {
    let directory = try TemporaryDirectory()
    let program = directory.path + "/sequence"
    try FileManager.default.copyItem(atPath: BuiltProducts.path(of: "sequence"), toPath: program)
    let library = directory.path + "/.local/share/sequence"
    try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
    try "title: Tabata\ncards: [{ title: Work, countdown: 20s }]\n".write(
      toFile: library + "/tabata.yaml", atomically: false, encoding: .utf8)
    let terminal = try directory.write("#!/bin/sh\n\(script)\n", to: "xdg-terminal-exec")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: terminal)
    return try ChildProcess.run(
      program, ["window", "--or-terminal"] + words,
      environment: ["PATH": directory.path + ":/usr/bin:/bin", "HOME": directory.path])
  }

  @Test func `the terminal ignores no signal that the command ignores`() throws {
    let output = try window([], terminal: "grep SigIgn /proc/self/status")
    let mask = try #require(output.text.split(whereSeparator: \.isWhitespace).last, "\(output)")
    #expect(UInt64(mask, radix: 16).map { $0 & 1 << UInt64(SIGPIPE - 1) } == 0, "\(output)")
  }

  @Test func `a word is the name of a sequence of the library, as its completion offers it`() throws {
    let output = try window(["tabata"], terminal: #"for word; do last=$word; done; echo "$last""#)
    #expect(output.text.hasSuffix("/.local/share/sequence/tabata.yaml"), "\(output)")
    let unknown = try window(["tabota"], terminal: "echo no")
    #expect(unknown.status == 74 && unknown.errors.contains(#"did you mean "tabata"?"#), "\(unknown)")
  }

  @Test func `a file and the question whether to stop the run exclude each other`() throws {
    let output = try window(["./tea.yaml", "--ask-stop"], terminal: "echo no")
    #expect(output.status == 64 && output.text == "")
    #expect(output.errors == "sequence: a FILE and --ask-stop cannot be combined; remove one of them\n")
  }

  @Test(arguments: [nil, StateDirectory(path: "/d")])
  func `the terminal shows the plan of a file, and can start it`(state: StateDirectory?) throws {
    let directory = try TemporaryDirectory()
    let program = try directory.write("#!/bin/sh\nexec \"$@\"\n", to: "xdg-terminal-exec")
    let stand = try directory.write("#!/bin/sh\necho \"$*\"\n", to: "sequence")
    for path in [program, stand] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let environment = ["PATH": directory.path + ":/usr/bin:/bin", "SHELL": "/bin/true"]
    let words = try #require(
      WindowCommand.terminal(environment: EnvironmentVariables(environment), state, file: "/my tea.yaml"))
    let shown = try ChildProcess.run(
      words[0], Array(words.dropFirst()), environment: environment, input: "y\n")
    #expect(shown.text == "check /my tea.yaml\nStart it? [y/N] run /my tea.yaml")
  }
}
