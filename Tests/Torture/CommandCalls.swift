import Foundation
import TestSupport

/// Failing system calls of a command, one at a time.
struct CommandCalls {
  private let tally: Tally
  private let scenes: [Scene]

  struct Scene {
    let name: String
    let deed: Deed
    let template: Bench
  }

  init(_ tally: Tally) throws {
    self.tally = tally
    scenes = try CommandCalls.scenes()
  }

  /// Returns commands on no store, on a store at rest, and on a store whose last user was killed.
  static func scenes() throws -> [Scene] {
    let none = try Bench()
    try FileManager.default.createDirectory(atPath: none.state, withIntermediateDirectories: false)
    let atRest = try Bench()
    try atRest.succeed("start", "--card", "Past 1h")
    try atRest.succeed("stop")
    try atRest.addTimer()
    try atRest.succeed(.start)
    atRest.killAgents()
    try FileManager.default.removeItem(atPath: atRest.state + "/agent.lock")
    _ = try StoredState.read(atRest.state)
    let unfinished = try Bench(copying: atRest)
    let other = try unfinished.begin(["status", "--follow"])
    _ = try other.line()
    try unfinished.succeed(.extend)
    other.signal(SIGKILL)
    _ = try other.exitStatus()
    return [
      Scene(name: "start", deed: .start, template: none),
      Scene(name: "pause", deed: .pause, template: unfinished),
      Scene(name: "status", deed: .status, template: unfinished),
      Scene(name: "stop", deed: .stop, template: atRest),
      Scene(name: "clear", deed: .clear, template: atRest),
      Scene(name: "schedule", deed: .schedule, template: unfinished),
      // Only for kills, because it makes the same calls as the others.
      Scene(name: "replace", deed: .replace, template: unfinished),
    ]
  }

  func run() throws {
    if let obstacle = try Tracer.obstacle() {
      throw TestSupportError("system calls cannot be made to fail: \(obstacle)")
    }
    for scene in scenes where scene.deed != .replace {
      if scene.deed != .status {
        tally.attempt("\(scene.name)/synced") { try scene.expectSyncBeforeAnswer() }
      }
      for (call, count) in try scene.counts().sorted(by: { $0.key < $1.key }) {
        for error in CallFailures.errors[call] ?? [] { try fail(scene, call, "error=\(error)", count) }
      }
    }
  }

  /// Fails each occurrence of a call, until the command no longer reaches it.
  private func fail(_ scene: Scene, _ call: String, _ effect: String, _ count: Tracer.Count) throws {
    var number = count.loading
    var isReached = true
    while isReached {
      number += 1
      guard number < count.loading + 500 else {
        throw TestSupportError("\(call) has no end in \(scene.name)")
      }
      let injection = Tracer.Injection(call: call, effect: effect, number: number)
      let name = "\(scene.name)/\(injection.name)"
      guard tally.isWanted(name) else {
        if number > count.most { return }
        continue
      }
      isReached = false
      tally.attempt(name) { isReached = try scene.perform(injection, tally) }
      if number <= count.most { isReached = true }
    }
  }
}

extension CommandCalls.Scene {
  func counts() throws -> [String: Tracer.Count] {
    let bench = try Bench(copying: template)
    let log = bench.directory.path + "/calls"
    _ = try begin(nil, in: bench, log: log).outcome(within: Bench.limit)
    return try Tracer.counts(in: log, after: "/proc/sys/kernel/random/boot_id")
  }

  /// Checks that written data is synced before it is acknowledged.
  func expectSyncBeforeAnswer() throws {
    let bench = try Bench(copying: template)
    let log = bench.directory.path + "/calls"
    _ = try begin(nil, in: bench, log: log).outcome(within: Bench.limit)
    let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    let calls = text.split(separator: "\n")
    let beforeAnswer = calls.prefix { !$0.hasPrefix("write(1,") }
    let last = beforeAnswer.last { call in
      ["pwrite64(", "fdatasync(", "fsync("].contains { call.hasPrefix($0) }
    }
    guard beforeAnswer.count < calls.count, last?.contains("sync(") == true else {
      throw Violation("the last before the answer of \(deed) is \(last ?? "nothing")")
    }
  }

  private func begin(_ injection: Tracer.Injection?, in bench: Bench, log: String) throws -> ChildProcess {
    let words = [try BuiltProducts.path(of: "sequence")] + deed.words
    let child = try Tracer.begin(
      words, injection, log: log, isFollowing: false, environment: bench.environment)
    try child.endInput()
    return child
  }

  /// Runs the command with a failure and judges it; returns whether the command reached the failing call.
  func perform(_ injection: Tracer.Injection, _ tally: Tally) throws -> Bool {
    let bench = try Bench(copying: template)
    let before = try StoredState.read(template.state)
    let log = bench.directory.path + "/calls"
    let output = try begin(injection, in: bench, log: log).outcome(within: Bench.limit)
    let injected = try Tracer.injected(log)
    tally.countFault(injected.count)
    let isKill = injection.effect.hasPrefix("signal")
    let mayDie = isKill || CallFailures.isForMemory(injected)
    let after = try Verdict.judge(deed, output, from: before, in: bench, mayDie: mayDie, tally)
    if injection.effect.hasSuffix("EINTR"), output.status != 0 {
      throw Violation("an interrupted call made \(deed) exit with \(output.status): \(output.errors)")
    }
    try Verdict.confirm(after, in: bench, withStatus: output.status != 0)
    return !injected.isEmpty
  }
}
