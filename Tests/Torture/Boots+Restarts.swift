import Foundation
import Glibc
import NotificationLedger
import Platform
import SequenceRunner
import TestSupport

extension Boots {
  /// Checks that elapsed time across boots follows the wall clock once, and then the new boot clock.
  func restart(bootOffset: Int?, isPaused: Bool) throws {
    let bench = try Bench()
    try bench.succeed(.start)
    if isPaused { try bench.succeed(.pause) }
    bench.killAgents()
    let agent = try bench.keepAgentsAway()
    try withExtendedLifetime(agent) {
      let before = try StoredState.read(bench.state)
      try withBootID(UUID().uuidString.lowercased()) { id in
        tally.noteFault()
        let offset = bootOffset.map { Duration.seconds($0) }
        let output = try call("status", in: bench, bootOffset: offset)
        guard output.status == 0 else { throw Violation("\(output.status): \(output.errors)") }
        try judge(before, StoredState.read(bench.state), output.text, id, bench, offset ?? .zero)
      }
    }
    tally.note("right")
  }

  private func judge(
    _ before: StoredState, _ after: StoredState, _ text: String, _ id: String, _ bench: Bench,
    _ offset: Duration
  ) throws {
    guard let old = before.run, let new = after.run, old.runID == new.runID else {
      throw Violation("\(before.text) became \(after.text)")
    }
    let shown = try time("elapsed", text)
    switch (old.current.clock, new.current.clock) {
    case (.paused(let was), .paused(let elapsed)):
      try expect(elapsed, was, "paused over a restart")
      try expect(shown, was, "shown paused over a restart")
    case (.running(let start, let was), .running(let since, let elapsed)):
      guard since.bootID == id else { throw Violation("the run is still of the boot \(since.bootID)") }
      try expect(elapsed, was + since.wall.duration(since: start.wall), "stored over a restart")
      // The status is calculated at the reading of the anchor.
      try expect(shown, elapsed, "shown over a restart")
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
      let due = entry.request.due
      guard due.bootID == id else { throw Violation("\(entry.request.summary) is due in another boot") }
      try expect(due.boot - since.boot, due.wall.duration(since: since.wall), "due on both clocks")
    }
    guard let first = pending.map(\.request.due.wall).min(), let end = run.targetReachedAt else { return }
    try expect(first.duration(since: end), .zero, "the end of the step")
  }

  /// Checks that notifications due while the machine was off or asleep are missed with a reason, and that
  /// steps end.
  func beLate(afterRestart: Bool) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let bench = try Bench(bus: bus.address)
    try bench.succeed("start", "--card", "Work 1h", "--card", "Rest 1h", "--card", "Last")
    bench.killAgents()
    tally.noteFault()
    let agentWords = [try BuiltProducts.path(of: "sequence-agent"), "--state-dir", bench.state]
    let deliver = {
      let agent = try ChildProcess(
        "/usr/bin/unshare", ["--time", "--boottime", "4000"] + agentWords, environment: bench.environment)
      let deadline = ContinuousClock.now + .seconds(20)
      while try entries(in: bench).allSatisfy({ $0.state != .missed }), .now < deadline { usleep(20_000) }
      agent.signal(SIGTERM)
      _ = try agent.exitStatus()
    }
    if afterRestart {
      // By the wall clock no time has passed, whatever the new boot clock shows.
      try withBootID(UUID().uuidString.lowercased()) { _ in
        let output = try call("status", in: bench, bootOffset: .seconds(4000))
        guard try time("remaining", output.text) > .seconds(3590) else { throw Violation(output.text) }
      }
      tally.note("right")
      return
    }
    try deliver()
    let missed = try entries(in: bench).filter { $0.state == .missed }
    guard missed.count == 1, missed[0].reason?.code == "late", try server.screen().ids.isEmpty
    else {
      throw Violation("\(try entries(in: bench).map { ($0.state, $0.reason?.description ?? "") })")
    }
    tally.note("missed, with the reason")
  }
}
