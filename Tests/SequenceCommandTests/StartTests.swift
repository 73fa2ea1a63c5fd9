import Foundation
import Glibc
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

struct StartTests {
  private let command: CommandLineRunner

  init() throws { command = try CommandLineRunner() }

  private func activeRun() throws -> UUID? {
    let store = try RunStore(
      in: StateDirectory(path: command.state), clock: SystemClock(), parts: [], observers: [])
    return try store.settle().run?.runID
  }

  @Test func `cues without the agent's program are not an error, and the run is printed`() throws {
    let outcome = try command.run(
      ["start", "--card", "A 1h", "--cues", "sound"],
      agentProgram: { throw Failure("sequence-agent is missing; install it", .inputOutput) })
    #expect(outcome.status == 0)
    #expect(try UUID(uuidString: outcome.text) == activeRun())
  }

  @Test func `a run whose id cannot be printed is named in the failure`() throws {
    let outcome = try command.run(
      ["start", "--card", "A 1h"], printing: { throw SystemError(call: "write", code: ENOSPC) })
    let run = try #require(try activeRun())
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "sequence: run \(run.uuidString) was started, but standard output cannot be written: "
        + "No space left on device; see sequence status")
  }

  @Test func `cues of the command line are part of the stored run`() throws {
    let outcome = try command.run(
      ["start", "--card", "A 1h", "--cues", "speech"], environment: ["PATH": "/nowhere"])
    #expect(outcome.status == 0)
    let database = try Database(path: StateDirectory(path: command.state).databasePath)
    let stored = try #require(try database.rows("SELECT snapshot FROM active_run") { $0.text(0) }.first)
    #expect(stored.contains(#""options":{"sound":false,"speech":true}"#))
  }
}
