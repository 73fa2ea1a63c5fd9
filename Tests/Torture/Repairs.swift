import Foundation
import Glibc
import SequenceStore
import TestSupport

/// Repairs of a damaged store that are killed, or fail, at each call that names a file or brings it to the disk.
///
/// All rows of the store are readable, so the next command must have all runs.
struct Repairs {
  private let tally: Tally
  /// A damaged store whose last user was killed, with a log that has the last changes.
  private let template: Bench
  private let expected: StoredState

  private enum Way: String, CaseIterable {
    case exchange
    /// The file system can't exchange two files. The log and its index are renamed before.
    case renames

    var options: [String] { self == .exchange ? [] : ["-e", "inject=renameat2:error=EINVAL:when=3"] }
    /// The calls that fail; one call can't fail in two ways, but after each rename there is an `fsync`.
    var calls: [String] {
      ["unlink", "fsync", "fdatasync", "close"] + (self == .exchange ? ["renameat2"] : [])
    }
  }

  init(_ tally: Tally) throws {
    self.tally = tally
    template = try Bench()
    try template.addTimer()
    for deed in [Deed.start, .next, .replace] { try template.succeed(deed) }
    let other = try template.begin(["status", "--follow"])
    _ = try other.line()
    for deed in [Deed.extend, .next] { try template.succeed(deed) }
    // Otherwise a follower would replace the agent.
    other.signal(SIGSTOP)
    template.killAgents()
    other.signal(SIGKILL)
    _ = try other.exitStatus()
    // The last user of a store writes the log into it.
    let sound = try Bench(copying: template)
    expected = try withExtendedLifetime(sound) { try StoredState.read(sound.state) }
    var bytes = try Data(contentsOf: URL(filePath: template.databasePath))
    guard let place = bytes.range(of: Data("CREATE TABLE journal".utf8))?.lowerBound else {
      throw TestSupportError("the store has no schema")
    }
    bytes[place] ^= 4
    try bytes.write(to: URL(filePath: template.databasePath))
  }

  func run() throws {
    if let obstacle = try Tracer.obstacle() {
      throw TestSupportError("repairs cannot be killed before a system call: \(obstacle)")
    }
    guard expected.run != nil, expected.other != nil, !expected.history.isEmpty else {
      throw TestSupportError("the damaged store has \(expected.text)")
    }
    for way in Way.allCases {
      let counts = try self.counts(way)
      for call in way.calls {
        let count = counts[call] ?? Tracer.Count()
        for effect in ["signal=KILL", "error=EIO"] where effect != "error=EIO" || call != "close" {
          for number in (count.loading + 1)...max(count.loading + 1, count.most) {
            let injection = Tracer.Injection(call: call, effect: effect, number: number)
            tally.attempt("\(way.rawValue)/\(injection.name)") { try perform(way, injection) }
          }
        }
      }
    }
  }

  private func counts(_ way: Way) throws -> [String: Tracer.Count] {
    let bench = try Bench(copying: template)
    let agent = try bench.keepAgentsAway()
    return try withExtendedLifetime(agent) {
      let log = bench.directory.path + "/calls"
      let output = try begin(way, nil, in: bench, log: log).outcome(within: Bench.limit)
      guard output.errors.contains(Repairs.notice) else {
        throw TestSupportError("no repair by \(way): \(output.errors)")
      }
      return try Tracer.counts(in: log, after: "/proc/sys/kernel/random/boot_id")
    }
  }

  private static let notice = "the store was damaged and was moved to "

  private func begin(
    _ way: Way, _ injection: Tracer.Injection?, in bench: Bench, log: String
  ) throws -> ChildProcess {
    let effect = injection.map { ["-e", "inject=\($0.call):\($0.effect):when=\($0.number)"] } ?? []
    let child = try ChildProcess(
      Tracer.program,
      ["-qq", "-o", log] + way.options + effect + [BuiltProducts.path(of: "sequence")] + Deed.status.words,
      environment: bench.environment)
    try child.endInput()
    return child
  }

  private func perform(_ way: Way, _ injection: Tracer.Injection) throws {
    let bench = try Bench(copying: template)
    let agent = try bench.keepAgentsAway()
    try withExtendedLifetime(agent) {
      let log = bench.directory.path + "/calls"
      let output = try begin(way, injection, in: bench, log: log).outcome(within: Bench.limit)
      tally.countFault(try Tracer.injected(log).filter { !$0.contains("EINVAL") }.count)
      guard [0, 74, 128 + SIGKILL].contains(output.status) else {
        throw Violation("the repair exits with \(output.status): \(output.errors)")
      }
      var names = try FileManager.default.contentsOfDirectory(atPath: bench.state)
      let isDone =
        names.contains { $0.contains(".damaged-") } && !names.contains { $0.hasSuffix(".replacement") }
      let next = try bench.run(Deed.status.words)
      guard next.status == 0 else { throw Violation("then status exits with \(next.status): \(next.errors)") }
      guard isDone || next.errors.contains(Repairs.notice) else {
        throw Violation("the next command has finished the repair without a word")
      }
      names = try FileManager.default.contentsOfDirectory(atPath: bench.state)
      let others = names.filter { name in
        [".new", ".copy", ".schema", ".replacement"].contains(where: name.hasSuffix)
      }
      guard isDone || others.isEmpty else { throw Violation("\(others) are left") }
      let after = try StoredState.read(bench.state)
      guard after.isSame(as: expected) else {
        throw Violation("the store had \(expected.text), and has \(after.text)")
      }
      try Verdict.confirm(after, in: bench)
      tally.count(output.status == 0 ? "done" : isDone ? "killed at its end" : "finished by the next")
    }
  }
}
