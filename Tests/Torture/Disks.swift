import Foundation
import Glibc
import SequencePlatform
import SequenceStore
import TestSupport

struct Disks {
  private let tally: Tally
  /// The deeds on a disk with more and more room.
  private static let deeds: [Deed] = [
    .start, .extend, .pause, .resume, .next, .replace, .clear, .schedule, .stop, .status,
  ]

  init(_ tally: Tally) { self.tally = tally }

  func run() throws {
    guard tally.options.isInside else {
      return tally.skip("all", because: "the kernel allows no mounts in a namespace of this user")
    }
    for pages in 0...40 { tally.attempt("new-store/\(pages)") { try fill(leaving: pages, isNew: true) } }
    for pages in 0...40 { tally.attempt("store/\(pages)") { try fill(leaving: pages, isNew: false) } }
    for number in 0..<10 { tally.attempt("fluctuating/\(number)") { try fluctuate("fluctuating/\(number)") } }
    tally.attempt("read-only") { try makeReadOnly(whileUsed: false) }
    tally.attempt("read-only-while-used") { try makeReadOnly(whileUsed: true) }
    tally.attempt("read-only-new") { try makeNewReadOnly() }
  }

  private func fill(leaving pages: Int, isNew: Bool) throws {
    let disk = try Disk()
    let bench = try disk.bench()
    if !isNew {
      try bench.addTimer()
      try bench.succeed(.start)
      bench.killAgents()
    }
    var state = try StoredState.read(bench.state)
    try disk.fill(leaving: pages)
    tally.countFault()
    for deed in Disks.deeds {
      let output = try bench.run(deed.words)
      // The agent started by a command also writes, and its share must not count for the command.
      bench.killAgents()
      state = try judge(deed, output, from: state, in: bench, on: disk)
      try disk.fill(leaving: pages)
    }
    try disk.free()
    try Verdict.confirm(StoredState.read(bench.state), in: bench)
  }

  private func fluctuate(_ name: String) throws {
    var random = tally.randomness(for: name)
    let disk = try Disk()
    let bench = try disk.bench()
    try bench.addTimer()
    try bench.succeed(.start)
    bench.killAgents()
    var state = try StoredState.read(bench.state)
    for _ in 0..<30 {
      let deed = Deed.script.randomElement(using: &random) ?? .status
      try disk.free()
      if Bool.random(using: &random) {
        try disk.fill(leaving: Int.random(in: 0...12, using: &random))
        tally.countFault()
      }
      let output = try bench.run(deed.words)
      bench.killAgents()
      state = try judge(deed, output, from: state, in: bench, on: disk)
    }
    try disk.free()
    try Verdict.confirm(StoredState.read(bench.state), in: bench)
  }

  /// Judges a command with enough room to read the store; a failed command must report the full disk.
  private func judge(
    _ deed: Deed, _ output: ChildProcess.Output, from before: StoredState, in bench: Bench, on disk: Disk
  ) throws -> StoredState {
    // A new store is written under another name first.
    let reasons =
      ["", ".new"].map { StoreError.full(path: bench.databasePath + $0).problem.text.description }
      + [String(cString: strerror(ENOSPC))]
    guard output.status != 74 || reasons.contains(where: { output.errors.contains($0) }) else {
      throw Violation("on a full disk \(deed) says \(output.errors)")
    }
    try disk.free()
    return try Verdict.judge(deed, output, from: before, in: bench, tally)
  }

  private func makeReadOnly(whileUsed isUsed: Bool) throws {
    let disk = try Disk()
    let bench = try disk.bench()
    try bench.addTimer()
    try bench.succeed(.start)
    bench.killAgents()
    let reader = isUsed ? try bench.begin(["status", "--follow", "--json"]) : nil
    _ = try reader?.line()
    let before = try StoredState.read(bench.state)
    // A file that is open for writing prevents that a disk becomes read-only. The reader has started an agent.
    reader?.signal(SIGKILL)
    _ = try reader?.exitStatus()
    bench.killAgents()
    try disk.makeReadOnly(true)
    tally.countFault()
    for deed in Disks.deeds {
      let output = try bench.run(deed.words)
      guard
        output.status == 74 || deed == .status && output.status == 0
          || deed.isRefused(in: before) && output.status == 1
      else { throw Violation("\(deed) exits with \(output.status) on a read-only disk: \(output.errors)") }
      let reason = StoreError.readOnly(path: bench.databasePath).problem.text.description
      guard output.status != 74 || output.errors.contains(reason) else { throw Violation(output.errors) }
      tally.count("exit \(output.status)" + (deed == .status ? " of status" : ""))
    }
    try disk.makeReadOnly(false)
    let after = try StoredState.read(bench.state)
    guard after.isSame(as: before) else { throw Violation("\(before.text) became \(after.text)") }
    try Verdict.confirm(after, in: bench)
  }

  private func makeNewReadOnly() throws {
    let disk = try Disk()
    let bench = try disk.bench()
    try disk.makeReadOnly(true)
    tally.countFault()
    let status = try bench.run(Deed.status.words)
    guard status.status == 0, try Answer(status.text) == Answer(StoredState()) else {
      throw Violation("without a store the status is \(status)")
    }
    let start = try bench.run(Deed.start.words)
    guard start.status == 74, start.errors.hasPrefix("sequence: ") else {
      throw Violation("start exits with \(start.status) on a read-only disk: \(start.errors)")
    }
    tally.count("exit 74")
    try disk.makeReadOnly(false)
    try Verdict.confirm(StoredState(), in: bench)
  }
}
