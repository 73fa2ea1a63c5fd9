import Foundation
import Glibc
import NotifierLedger
import SequenceRunner
import SequenceStore
import TestSupport

/// Failing system calls of an agent, one at a time, in a run of the agent from its start over a notification
/// to its end.
final class AgentCalls {
  private let tally: Tally
  private let bus: PrivateBus
  private let server: RecordingServer
  private var template: Bench
  private var madeAt = ContinuousClock.now
  /// The time for an agent that lost something to recover before it is told to exit.
  private static let patience = Duration.seconds(3)
  /// The largest age of a template; notifications shown much later than due would be missed instead.
  private static let oldest = Duration.seconds(8)

  init(_ tally: Tally) throws {
    self.tally = tally
    bus = try PrivateBus()
    server = try RecordingServer(on: bus)
    template = try AgentCalls.template(on: bus)
  }

  /// Creates a run that has ended with due notifications.
  private static func template(on bus: PrivateBus) throws -> Bench {
    let template = try Bench(bus: bus.address)
    try template.succeed("status")
    let agent = try template.keepAgentsAway()
    try withExtendedLifetime(agent) {
      let first = try template.succeed("start", "--card", "First 0.05s", "--card", "Last 0.05s")
      let second = try template.succeed("start", "--card", "Other 0.1s", "--beside")
      for run in [first, second] { try template.succeed("wait", String(run.prefix(36))) }
    }
    return template
  }

  private func freshBench() throws -> Bench {
    if ContinuousClock.now - madeAt > AgentCalls.oldest {
      template = try AgentCalls.template(on: bus)
      madeAt = .now
    }
    return try Bench(copying: template)
  }

  func run() throws {
    if let obstacle = try Tracer.obstacle() {
      throw TestSupportError("system calls cannot be made to fail: \(obstacle)")
    }
    let bench = try freshBench()
    let log = bench.directory.path + "/calls"
    let agent = try begin(nil, in: bench, log: log)
    guard try attend(agent, within: Bench.limit) else { throw TestSupportError("the agent does not end") }
    _ = try agent.exitStatus()
    let counts = try Tracer.counts(in: log, after: "sequence.db")
    for (call, count) in counts.sorted(by: { $0.key < $1.key }) {
      for error in CallFailures.errors[call] ?? [] {
        for number in numbers(count) {
          let injection = Tracer.Injection(call: call, effect: "error=\(error)", number: number)
          tally.attempt(injection.name) { try live(with: injection, isLoading: number <= count.loading) }
        }
      }
    }
  }

  /// Returns which occurrences of a call fail: some of the thread with the most calls, and the first of the
  /// others.
  private func numbers(_ count: Tracer.Count) -> [Int] {
    let own = Array(count.loading + 1..<max(count.loading + 1, count.most + 1))
    let step = max(1, own.count / tally.options.occurrences)
    let others = count.total > count.most ? Array(1...min(3, max(1, count.loading))) : []
    return Set(own.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element) + others).sorted()
  }

  private func begin(_ injection: Tracer.Injection?, in bench: Bench, log: String) throws -> ChildProcess {
    let words = [try BuiltProducts.path(of: "sequence-agent"), "--state-dir", bench.state]
    return try Tracer.begin(words, injection, log: log, isFollowing: true, environment: bench.environment)
  }

  /// Dismisses an agent's notifications until it exits; returns whether it did.
  private func attend(_ agent: ChildProcess, within limit: Duration) throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while try agent.ending() != nil {
      guard .now < deadline else { return false }
      // No event is not a failure here.
      guard let event = try? server.next(within: .milliseconds(20)) else { continue }
      if event.event == "notify", let id = event.id { try? server.tell("dismiss \(id)") }
    }
    return true
  }

  private func live(with injection: Tracer.Injection, isLoading: Bool) throws {
    let bench = try freshBench()
    let log = bench.directory.path + "/calls"
    let before = try StoredState.read(bench.state)
    let agent = try begin(injection, in: bench, log: log)
    if try !attend(agent, within: AgentCalls.patience) {
      tally.count("went on, told to end")
      for process in bench.agents() { kill(process, SIGTERM) }
      guard try attend(agent, within: Bench.limit) else { throw Violation("it does not end") }
    }
    let output = try agent.outcome(within: Bench.limit)
    let injected = try Tracer.injected(log)
    tally.countFault(injected.count)
    try judge(output, injected, injection, isLoading: isLoading)
    let next = try bench.beginAgent()
    guard try attend(next, within: Bench.limit), try next.exitStatus() == 0 else {
      throw Violation("the agent after it does not end well: \(try next.errorText())")
    }
    let after = try StoredState.read(bench.state)
    guard after.isSame(as: before) else { throw Violation("\(before.text) became \(after.text)") }
    try account(bench)
    try Verdict.confirm(after, in: bench)
    bench.killAgents()
    // Notifications shown for the commands above belong to no agent now.
    for id in try server.screen().ids { try server.tell("dismiss \(id)") }
  }

  private func judge(
    _ output: ChildProcess.Output, _ injected: [String], _ injection: Tracer.Injection, isLoading: Bool
  ) throws {
    let isInterrupted = injection.effect.hasSuffix("EINTR") && !isLoading
    switch output.status {
    case 0, 143: tally.count("exit \(output.status)")
    case 74 where !output.errors.isEmpty && !isInterrupted: tally.count("exit 74")
    case 127 where isLoading: tally.count("not loaded")
    case 128... where CallFailures.isForMemory(injected): tally.count("ended by the runtime without memory")
    case 128... where output.errors.contains("GLib"): tally.count("ended by GLib")
    default: throw Violation("the agent exits with \(output.status): \(output.errors)")
    }
  }

  /// Checks that every notification is accounted for and none is visible.
  private func account(_ bench: Bench) throws {
    let entries = try Ledger(database: Database(path: bench.databasePath)).entries(in: .everything)
    let open = entries.filter { [.pending, .presenting, .delivered].contains($0.state) || $0.reason == nil }
    guard open.isEmpty, !entries.isEmpty else { throw Violation("there are left \(open)") }
    guard entries.contains(where: { $0.deliveredAt != nil }) || entries.allSatisfy({ $0.state == .failed })
    else {
      throw Violation("nothing was shown: \(entries.map { ($0.state, $0.reason?.description ?? "") })")
    }
    let screen = try server.screen().texts
    guard screen.isEmpty else { throw Violation("\(screen) is left on screen") }
  }
}
