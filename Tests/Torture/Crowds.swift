import Foundation
import SequenceRunner
import SequenceStore
import TestSupport

struct Crowds {
  private let tally: Tally
  private static let limit = Duration.seconds(120)

  init(_ tally: Tally) { self.tally = tally }

  func run() throws {
    let count = tally.options.processes
    for round in 0..<3 { tally.attempt("start/\(round)") { try startTogether(count) } }
    tally.attempt("extend") { try changeTogether(Array(repeating: .extend, count: count)) }
    tally.attempt("replace") { try changeTogether(Array(repeating: .replace, count: count / 2)) }
    for round in 0..<3 {
      var random = tally.randomness(for: "\(round)")
      let kinds = [Deed.extend, .extend, .status, .pause, .resume, .clear, .next, .back, .replace, .schedule]
      let deeds = (0..<count).map { _ in kinds.randomElement(using: &random) ?? .status }
      tally.attempt("mixed/\(round)") { try changeTogether(deeds) }
    }
  }

  /// Checks that one of many starts on an empty directory succeeds.
  private func startTogether(_ count: Int) throws {
    let bench = try Bench()
    let outputs = try run(Array(repeating: .start, count: count), in: bench)
    let after = try StoredState.read(bench.state)
    let winners = try outputs.filter { $0.output.status == 0 }.map { try Answer($0.output.text) }
    guard winners.count == 1, winners == [Answer(after)], after.history.isEmpty, after.revision == 1 else {
      throw Violation("\(winners) were started, and the store has \(after.text)")
    }
    try bench.expectOneAgent(isNeeded: true)
    try Verdict.confirm(after, in: bench)
  }

  /// Checks that each acknowledged change is applied once, and refused changes are not.
  private func changeTogether(_ deeds: [Deed]) throws {
    let bench = try Bench()
    try bench.addTimer()
    try bench.succeed(.start)
    let before = try StoredState.read(bench.state)
    let outputs = try run(deeds, in: bench)
    let after = try StoredState.read(bench.state)
    let done = outputs.filter { $0.output.status == 0 }.map(\.deed)
    let replaced = done.count { $0 == .replace }
    let hadEnd = done.contains(.next)
    // A run that replaces another one causes two writes: the end of the old run, and the new run.
    let changes = done.count { ![.status, .clear, .replace, .schedule].contains($0) }
    let revisions = after.revision - before.revision - Int64(changes)
    guard revisions == 2 * replaced || hadEnd && revisions <= 2 * replaced && revisions >= replaced else {
      throw Violation("\(done.count) commands were acknowledged, and \(before.text) became \(after.text)")
    }
    let ended = after.history.values.count { $0 == "stopped" }
    guard hadEnd ? ended <= replaced : ended == replaced else {
      throw Violation("\(replaced) runs were replaced, and \(ended) are over")
    }
    if replaced == 0 && !hadEnd && !done.contains(.back) {
      let added = (after.run?.current.extended ?? .zero) - (before.run?.current.extended ?? .zero)
      guard added == .seconds(done.count { $0 == .extend }) else {
        throw Violation("\(done.count) seconds were added, and the step is longer by \(added)")
      }
    }
    // After the last one has cleared all notifications, none may be pending.
    let pending = try Database(path: bench.databasePath).rows(
      "SELECT count(*) FROM notification WHERE state = 'pending'"
    ) { $0.integer(0) }
    try bench.expectOneAgent(isNeeded: pending.first != 0)
    try Verdict.confirm(after, in: bench)
  }

  private func run(_ deeds: [Deed], in bench: Bench) throws -> [(deed: Deed, output: ChildProcess.Output)] {
    let deadline = ContinuousClock.now + Crowds.limit
    let children = try deeds.map { ($0, try bench.begin($0.words)) }
    tally.countFault(children.count)
    return try children.map { deed, child in
      let output = try child.outcome(within: deadline - .now)
      tally.count(output.status == 0 ? "done" : "exit \(output.status)")
      guard output.status == 0 || output.status == 75 || output.status == 1 else {
        throw Violation("\(deed) exits with \(output.status): \(output.errors)")
      }
      return (deed, output)
    }
  }
}
