import Foundation
import Simulation
import Synchronization
import TestSupport

/// The child processes that run scenarios, so that a trap in the program is found like any other failure.
struct Workers: Sendable {
  let arguments: Arguments

  private static let share = 500
  private static let longestScenario = Duration.seconds(300)

  struct Failure {
    let seed: UInt64
    /// The signal or status that ended the child; `nil` if the scenario ran to its end.
    let cause: String?
  }

  private struct Progress {
    var next = 0
    var done = 0
    var failures: [Int: Failure] = [:]
  }

  private final class ProgressBox: Sendable {
    let progress = Mutex(Progress())
  }

  /// Returns the first scenario that fails in any child; `nil` if none does.
  ///
  /// - Parameter report: called now and then with the number of finished scenarios.
  func firstFailure(report: @escaping @Sendable (Int) -> Void) async throws -> Failure? {
    let box = ProgressBox()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<arguments.workers {
        group.addTask { @concurrent in try work(box, report) }
      }
      try await group.waitForAll()
    }
    return box.progress.withLock { progress in progress.failures.min { $0.key < $1.key }?.value }
  }

  /// Runs one share after another, until all scenarios before a failure were run.
  private func work(_ box: ProgressBox, _ report: (Int) -> Void) throws {
    while true {
      let first = box.progress.withLock { progress in
        defer { progress.next += Workers.share }
        return progress.failures.isEmpty ? progress.next : arguments.scenarios
      }
      guard first < arguments.scenarios else { return }
      let count = min(Workers.share, arguments.scenarios - first)
      let failure = try Workers.runScenarios(count, from: arguments.seed &+ UInt64(first))
      let done = box.progress.withLock { progress in
        progress.failures[first] = failure
        progress.done += count
        return progress.done
      }
      if failure == nil, done.isMultiple(of: 20 * Workers.share) { report(done) }
    }
  }

  /// Runs scenarios in a child; the child prints the seed of each at its beginning.
  private static func runScenarios(_ count: Int, from seed: UInt64) throws -> Failure? {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let child = try ChildProcess(
      program, ["--inside", "yes", "--seed", "\(seed)", "--scenarios", "\(count)"],
      environment: ProcessInfo.processInfo.environment)
    var last = seed
    var end = ""
    do {
      while let begun = UInt64(try child.line(within: longestScenario)) { last = begun }
    } catch {
      end = "\(error)"
      // Kills a child that hangs; has no effect on one that has ended.
      child.signal(SIGKILL)
    }
    switch try child.exitStatus() {
    case 0: return nil
    case 1: return Failure(seed: last, cause: nil)
    case let status:
      try ScratchDirectory.removeAbandoned()
      return Failure(seed: last, cause: "the child ended with status \(status); \(end)")
    }
  }
}
