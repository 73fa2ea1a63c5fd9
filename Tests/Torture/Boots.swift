import Foundation
import Glibc
import NotifierLedger
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

/// Simulated reboots, and jumps of the boot clock like in a suspend.
struct Boots {
  let tally: Tally
  static let idPath = "/proc/sys/kernel/random/boot_id"
  private static let tolerance = Duration.milliseconds(1)

  init(_ tally: Tally) { self.tally = tally }

  func run() throws {
    let hasTime = try Namespaces.allows(["--time", "--boottime", "1000"])
    for length in [1, 60, 3599, 3600, 3601, 20_000] {
      guard hasTime else {
        tally.skip("jumps of the boot clock", because: "the kernel allows no time namespaces")
        break
      }
      tally.attempt("jump/\(length)") { try jump(.seconds(length)) }
      tally.attempt("jump-paused/\(length)") { try jumpWhilePaused(.seconds(length)) }
    }
    guard tally.options.isInside else {
      return tally.skip("restarts", because: "the kernel allows no mounts in a namespace of this user")
    }
    for offset in [nil, 5, 100_000] where offset == nil || hasTime {
      let name = offset.map { "\($0)" } ?? "same-clock"
      tally.attempt("restart/\(name)") { try restart(bootOffset: offset, isPaused: false) }
      tally.attempt("restart-paused/\(name)") { try restart(bootOffset: offset, isPaused: true) }
    }
    if hasTime {
      tally.attempt("late") { try beLate(afterRestart: false) }
      tally.attempt("late-restart") { try beLate(afterRestart: true) }
    }
  }

  // MARK: - Jumps

  /// Checks that elapsed time within one boot follows the boot clock alone.
  private func jump(_ length: Duration) throws {
    let bench = try Bench()
    try bench.addTimer()
    try bench.succeed(.start)
    bench.killAgents()
    let agent = try bench.keepAgentsAway()
    try withExtendedLifetime(agent) {
      let before = try StoredState.read(bench.state)
      tally.countFault()
      let output = try call("pause", in: bench, bootOffset: length)
      guard let start = before.run?.startedAt, let paused = try StoredState.read(bench.state).run,
        case .paused(let elapsed) = paused.current.clock, let moment = try lastChange(in: bench)
      else { throw Violation("the pause exits with \(output.status): \(output.errors)") }
      let timeline = paused.timeline
      let passed = timeline.duration(of: 0..<paused.log.count)
      try expect(passed + elapsed, length + moment.duration(since: start), "after a jump of \(length)")
    }
    tally.count("right")
  }

  private func jumpWhilePaused(_ length: Duration) throws {
    let bench = try Bench()
    try bench.addTimer()
    try bench.succeed(.start)
    try bench.succeed(.pause)
    bench.killAgents()
    let before = try Answer(bench.succeed("status", "--json"))
    let remaining = try time("remaining", bench.succeed("status", "--json"))
    tally.countFault()
    let output = try call("status", in: bench, bootOffset: length)
    guard try Answer(output.text) == before, try time("remaining", output.text) == remaining else {
      throw Violation("a paused run went on: \(output.text)\(output.errors)")
    }
    tally.count("right")
  }

  // MARK: - Means

  func call(_ command: String, in bench: Bench, bootOffset: Duration?) throws -> ChildProcess.Output {
    let words = [try BuiltProducts.path(of: "sequence"), command, "--json"]
    guard let offset = bootOffset?.components.seconds else { return try bench.run([command, "--json"]) }
    return try ChildProcess.run(
      "/usr/bin/unshare", ["--time", "--boottime", "\(offset)"] + words, environment: bench.environment)
  }

  func withBootID(_ id: String, _ body: (String) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(id + "\n", to: "boot_id")
    try Namespaces.run("mount", "--bind", file, Boots.idPath)
    defer { umount2(Boots.idPath, Int32(MNT_DETACH)) }
    try body(id)
  }

  func entries(in bench: Bench) throws -> [LedgerEntry] {
    try Ledger(database: Database(path: bench.databasePath)).entries(in: .everything)
  }

  private func lastChange(in bench: Bench) throws -> Moment? { try entries(in: bench).map(\.updated).max() }

  func time(_ field: String, _ text: String) throws -> Duration {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    guard let number = (object?["step"] as? [String: Any])?[field] as? NSNumber else {
      throw Violation("there is no \(field) in \(text)")
    }
    return .microseconds(Int64((number.doubleValue * 1e6).rounded()))
  }

  func expect(_ found: Duration, _ right: Duration, _ what: String) throws {
    guard abs((found - right) / Boots.tolerance) <= 1 else {
      throw Violation("\(what): it is \(found), and should be \(right)")
    }
  }
}
