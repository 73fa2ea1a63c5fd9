import Foundation
import Glibc
import SequenceRunner
import TestSupport

struct Kills {
  private let tally: Tally
  /// The number of successive commands in one store.
  private static let chain = 20
  /// The number of concurrent commands in a burst.
  private static let burst = 5

  init(_ tally: Tally) { self.tally = tally }

  func run() throws {
    let typical = try duration()
    for number in 0..<(tally.options.kills + Kills.chain - 1) / Kills.chain {
      tally.attempt("chain/\(number)") { try killAtRandom("chain/\(number)", within: typical) }
    }
    if let obstacle = try Tracer.obstacle() {
      throw TestSupportError("commands cannot be killed before a system call: \(obstacle)")
    }
    for scene in try CommandCalls.scenes() where scene.deed != .status && scene.deed != .clear {
      try killBeforeEachCall(of: scene)
    }
  }

  private func duration() throws -> Duration {
    let bench = try Bench()
    try bench.succeed("status")
    let begun = ContinuousClock.now
    for _ in 0..<5 { try bench.succeed("status") }
    return (ContinuousClock.now - begun) / 5
  }

  // MARK: - At random instants

  private func killAtRandom(_ name: String, within typical: Duration) throws {
    var random = tally.randomness(for: name)
    let bench = try Bench()
    try bench.addTimer()
    for number in 1...Kills.chain {
      var state = try StoredState.read(bench.state)
      if number.isMultiple(of: 7) {
        if state.run == nil {
          try bench.succeed(.start)
          state = try StoredState.read(bench.state)
        }
        try killBurst(in: bench, from: state, within: typical, &random)
      } else {
        try killOne(Deed.script.randomElement(using: &random) ?? .start, in: bench, state, typical, &random)
      }
      guard !bench.agentLog().contains("Fatal error") else { throw Violation(bench.agentLog()) }
      try bench.expectOneAgent(isNeeded: false)
    }
    try Verdict.confirm(StoredState.read(bench.state), in: bench)
  }

  private func killOne(
    _ deed: Deed, in bench: Bench, _ before: StoredState, _ typical: Duration, _ random: inout SplitMix64
  ) throws {
    let agent = Int.random(in: 0..<3, using: &random) == 0 ? bench.agents().first : nil
    let child = try bench.begin(deed.words)
    try child.endInput()
    pause(typical, &random)
    if let agent {
      kill(agent, SIGKILL)
      tally.countFault()
    }
    if Int.random(in: 0..<5, using: &random) > 0 {
      child.signal(SIGKILL)
      tally.countFault()
    }
    let output = try child.outcome(within: Bench.limit)
    try Verdict.judge(deed, output, from: before, in: bench, mayDie: true, tally)
  }

  /// Starts concurrent commands that each extend the step by a second, and kills some.
  private func killBurst(
    in bench: Bench, from before: StoredState, within typical: Duration, _ random: inout SplitMix64
  ) throws {
    let children = try (0..<Kills.burst).map { _ in try bench.begin(Deed.extend.words) }
    for child in children where Bool.random(using: &random) {
      pause(typical / 2, &random)
      child.signal(SIGKILL)
      tally.countFault()
    }
    let statuses = try children.map { try $0.outcome(within: Bench.limit).status }
    let acknowledged = statuses.count { $0 == 0 }
    let killed = statuses.count { $0 == 128 + SIGKILL }
    guard acknowledged + killed == children.count else { throw Violation("a burst exits with \(statuses)") }
    try StoredState.completeCommits(bench.state)
    let after = try StoredState.read(bench.state)
    let added = (after.run?.current.extended ?? .zero) - (before.run?.current.extended ?? .zero)
    guard after.runID == before.runID, after.history == before.history,
      added >= .seconds(acknowledged), added <= .seconds(acknowledged + killed),
      after.revision == before.revision + added.components.seconds
    else {
      throw Violation(
        "\(acknowledged) acknowledged and \(killed) killed made \(after.text) of \(before.text)")
    }
    for status in statuses { tally.count(status == 0 ? "done" : "killed in a burst") }
  }

  /// Waits for a part of a duration; the start of the process before the program begins is skipped.
  private func pause(_ typical: Duration, _ random: inout SplitMix64) {
    let part = Double.random(in: 0.2...1.2, using: &random)
    usleep(UInt32(typical / .microseconds(1) * part))
  }

  // MARK: - Before each call

  private func killBeforeEachCall(of scene: CommandCalls.Scene) throws {
    for (call, count) in try scene.counts().sorted(by: { $0.key < $1.key })
    where CallFailures.effective.contains(call) && count.most > count.loading {
      for number in count.loading + 1...count.most {
        let injection = Tracer.Injection(call: call, effect: "signal=KILL", number: number)
        tally.attempt("\(scene.name)/\(injection.name)") { _ = try scene.perform(injection, tally) }
      }
    }
  }
}
