import Foundation
import Glibc
import NotifierLedger
import SequencePlatform
import SequenceRunner
import TestSupport

extension Boots {
  /// Checks that elapsed time across boots follows the wall clock once, and then the new boot clock.
  func restart(bootOffset: Int?, isPaused: Bool) throws {
    let bench = try Bench()
    try bench.addTimer()
    try bench.succeed(.start)
    if isPaused { try bench.succeed(.pause) }
    bench.killAgents()
    let before = try StoredState.read(bench.state)
    try withBootID(UUID().uuidString.lowercased()) { id in
      tally.countFault()
      let clock = try SystemClock()
      let asked = clock.now().wall
      let output = try call("status", in: bench, bootOffset: bootOffset.map { .seconds($0) })
      let answered = clock.now().wall
      guard output.status == 0, output.errors.isEmpty else {
        throw Violation("\(output.status): \(output.errors)")
      }
      // The status only reads. It starts an agent, which anchors the clocks that run: of the run, and of the timer.
      let after = isPaused ? try StoredState.read(bench.state) : try waitForAnchor(in: id, bench)
      bench.killAgents()
      try judge(before, after, try time("elapsed", output.text), from: asked, to: answered, id, bench)
    }
    tally.count("right")
  }

  /// Waits until an agent has anchored the run in a boot.
  private func waitForAnchor(in id: String, _ bench: Bench) throws -> StoredState {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let state = try StoredState.read(bench.state)
      if case .running(let since, _) = state.run?.current.clock, since.bootID == id { return state }
      guard .now < deadline else {
        throw Violation("no agent anchors the run: \(state.text), \(bench.agents()) \(bench.agentLog())")
      }
      usleep(20_000)
    }
  }

  private func judge(
    _ before: StoredState, _ after: StoredState, _ shown: Duration, from asked: Moment, to answered: Moment,
    _ id: String, _ bench: Bench
  ) throws {
    guard let old = before.run, let new = after.run, old.runID == new.runID else {
      throw Violation("\(before.text) became \(after.text)")
    }
    switch (old.current.clock, new.current.clock) {
    case (.paused(let was), .paused):
      guard new == old, after.history == before.history else {
        throw Violation("\(before.text) became \(after.text)")
      }
      try expect(shown, was, "shown paused over a restart")
    case (.running(let start, let was), .running(let since, let elapsed)):
      try expect(elapsed, was + since.wall.duration(since: start.wall), "stored over a restart")
      let (least, most) = (asked.duration(since: start.wall), answered.duration(since: start.wall))
      try expect(shown, was + min(max(shown - was, least), most), "shown over a restart")
      try expectRebased(new, since, id, bench)
    case (.running, .paused), (.paused, .running), (.suspended, _), (_, .suspended):
      throw Violation("\(before.text) became \(after.text)")
    }
  }

  /// Checks that a pending notification keeps its wall-clock time and gets a time on the new boot clock.
  private func expectRebased(_ run: ActiveRunSnapshot, _ since: ClockReading, _ id: String, _ bench: Bench)
    throws
  {
    let pending = try entries(in: bench).filter { $0.state == .pending }
    guard !pending.isEmpty else { throw Violation("nothing is pending after a restart") }
    for entry in pending {
      let due = entry.due
      guard due.bootID == id else { throw Violation("\(entry.request.summary) is due in another boot") }
      try expect(due.boot - since.boot, due.wall.duration(since: since.wall), "due on both clocks")
    }
    guard let first = pending.map(\.due.wall).min(), let end = run.targetReachedAt else { return }
    try expect(first.duration(since: end), .zero, "the end of the step")
  }

  /// Checks that a notification due while the machine was asleep is shown late if it is still true, and that
  /// steps end.
  func beLate(afterRestart: Bool) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let bench = try Bench(bus: bus.address)
    try bench.succeed("start", "--card", "Work 1h", "--card", "Rest 1h", "--card", "Last")
    bench.killAgents()
    tally.countFault()
    let agentWords = [try BuiltProducts.path(of: "sequence-agent"), "--state-dir", bench.state]
    let deliver = {
      let agent = try ChildProcess(
        "/usr/bin/unshare", ["--time", "--boottime", "4000"] + agentWords, environment: bench.environment)
      let deadline = ContinuousClock.now + .seconds(20)
      while try entries(in: bench).allSatisfy({ $0.state != .delivered }), .now < deadline { usleep(20_000) }
      agent.signal(SIGTERM)
      _ = try agent.exitStatus()
    }
    if afterRestart {
      // By the wall clock no time has passed, whatever the new boot clock shows.
      try withBootID(UUID().uuidString.lowercased()) { id in
        let output = try call("status", in: bench, bootOffset: .seconds(4000))
        guard try time("remaining", output.text) > .seconds(3590) else { throw Violation(output.text) }
        _ = try waitForAnchor(in: id, bench)
        try endAgents(of: bench)
        let entries = try entries(in: bench)
        guard !entries.isEmpty, entries.allSatisfy({ $0.state == .pending }), try server.screen().ids.isEmpty
        else { throw Violation("\(entries.map { ($0.state, $0.reason?.description ?? "") })") }
      }
      tally.count("right")
      return
    }
    try deliver()
    let shown = try entries(in: bench).filter { $0.state == .delivered }
    guard shown.count == 1, try server.screen().ids.count == 1
    else {
      throw Violation("\(try entries(in: bench).map { ($0.state, $0.reason?.description ?? "") })")
    }
    tally.count("shown late")
  }

  private func endAgents(of bench: Bench) throws {
    for agent in bench.agents() { kill(agent, SIGTERM) }
    let deadline = ContinuousClock.now + .seconds(20)
    while !bench.agents().isEmpty {
      guard .now < deadline else { throw Violation("the agents \(bench.agents()) do not end") }
      usleep(20_000)
    }
  }
}
