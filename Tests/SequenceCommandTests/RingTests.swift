import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// Runs that ring at their end, as commands start and silence them.
struct RingTests {
  private let runner: CommandLineRunner

  init() throws { runner = try CommandLineRunner() }

  private func run() throws -> ActiveRunSnapshot? {
    try CompleteStore.open(in: StateDirectory(path: runner.state), clock: SystemClock()).peek().run
  }

  private func tea() throws -> String {
    try runner.home.write("title: Tea\nring: true\ncards: [{ title: A, countdown: 1h }]\n", to: "tea.yaml")
  }

  private func ringing() throws -> [String] {
    let store = try CompleteStore.open(in: StateDirectory(path: runner.state), clock: SystemClock())
    return try store.ringingEnds(at: store.settle().reading).map(\.run.name)
  }

  @Test func `a run rings if it's asked to, or if its file says so`() throws {
    let file = try tea()
    #expect(try runner("start", "--card", "A 1h").status == 0)
    #expect(try run()?.rings == false)
    #expect(try runner("start", "--card", "A 1h", "--ring", "--replace").status == 0)
    #expect(try run()?.options.rings == true)
    #expect(try runner("start", file, "--replace").status == 0)
    #expect(try run()?.rings == true)
  }

  @Test func `the configuration can turn ringing off, which a user who asks for it is told`() throws {
    for (setting, inWords) in [
      ("ring: false", "ring: false"), ("cues:\n  sound: false", "cues: { sound: false }"),
    ] {
      _ = try runner.home.write(setting + "\n", to: ".config/sequence/config.yaml")
      let started = try runner("start", "--card", "A 1h", "--ring", "--replace")
      #expect(
        started.errors == "sequence: nothing will ring, because config.yaml has \(inWords); remove that")
    }
    _ = try runner.home.write("ring: false\n", to: ".config/sequence/config.yaml")
    let file = try tea()
    #expect(try runner("start", file, "--replace").errors.isEmpty)
    #expect(try run()?.rings == false)
  }

  @Test(arguments: [
    (["start", "--card", "A 5s", "--rounds", "forever", "--ring"], "--ring needs a run with an end"),
    (["start", "--card", "A 5s", "--cues", "none", "--ring"], "--ring needs sounds"),
    (["start", "--card", "A 5s", "--cues", "speech", "--ring"], "--ring needs sounds"),
  ])
  func `nothing rings without an end or without sounds`(words: [String], message: String) throws {
    let refused = try runner.run(words)
    #expect(refused.status == 64 && refused.errors.hasPrefix("sequence: " + message), "\(refused.errors)")
  }

  @Test func `stop silences a run that has ended, and any command on it ends the ringing`() throws {
    _ = try runner("start", "--card", "A 0.001s", "--title", "Tea", "--ring")
    #expect(try ringing() == ["tea"])
    #expect(try runner("stop", "egg").status == 1)
    #expect(try ringing() == ["tea"])
    #expect(try runner("stop", "Tea") == .init(status: 0, text: "tea no longer rings"))
    #expect(try ringing().isEmpty)
    #expect(try runner("stop").status == 1)
    _ = try runner("start", "--card", "A 0.001s", "--title", "Tea", "--ring")
    #expect(try runner("stop", "--json").text == runner("status", "--json").text)
    for words in [["stop"], ["toggle"], ["extend", "1m", "tea"], ["stop", "tea"]] {
      _ = try runner("start", "--card", "A 0.001s", "--title", "Tea", "--ring")
      #expect(try ringing() == ["tea"])
      #expect(try runner.run(words).status == (words[0] == "stop" ? 0 : 1))
      #expect(try ringing().isEmpty)
    }
  }
}
