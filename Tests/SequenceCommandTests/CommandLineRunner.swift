import Glibc
import SequencePlatform
import SequenceRunner
import Synchronization
import TestSupport

@testable import SequenceCommand

/// Command lines run in the library, with a home directory of the test's own.
struct CommandLineRunner {
  let home: TemporaryDirectory
  var state: String { home.path + "/state" }
  var library: String { home.path + "/.local/share/sequence" }

  struct Outcome: Equatable {
    var status: Int32
    var text = ""
    var errors = ""
  }

  init() throws { home = try TemporaryDirectory() }

  func callAsFunction(_ words: String..., environment changes: [String: String] = [:]) throws -> Outcome {
    try run(words, environment: changes)
  }

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - printing: called before each line of the output.
  ///   - showsErrors: whether standard error is a terminal.
  ///   - columns: the columns of the terminal, or `nil` without one.
  ///   - agentProgram: finds the program of the agent.
  ///   - startAgent: called to start an agent.
  func run(
    _ words: [String], environment changes: [String: String] = [:],
    printing: @escaping () throws -> Void = {},
    agentProgram: @escaping @Sendable () throws -> String = { "/nonexistent" },
    showsErrors: Bool = false, columns: Int? = nil, startAgent: @escaping () -> Void = {}
  ) throws -> Outcome {
    let environment = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "SEQUENCE_STATE_DIR": state,
    ].merging(changes) { $1 }
    let text = Mutex<[String]>([])
    let errors = Mutex<[String]>([])
    let context = CommandContext(
      environment: EnvironmentVariables(environment), clock: try SystemClock(),
      print: { line in
        try printing()
        text.withLock { $0.append(line) }
      },
      printError: { line in errors.withLock { $0.append(line) } },
      startAgent: { _ in
        startAgent()
        return getpid()
      },
      agentProgram: agentProgram, hasSystemd: false, hasTerminal: false,
      showsErrors: showsErrors, terminalColumns: columns)
    let status = SequenceProgram.run(words, in: context)
    return Outcome(
      status: status, text: text.withLock { $0.joined(separator: "\n") },
      errors: errors.withLock { $0.joined(separator: "\n") })
  }
}
