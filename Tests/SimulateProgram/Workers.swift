import Foundation
import Simulation
import Synchronization
import TestSupport

/// Has lives lived by child processes, so that a trap in the program is found like any other failure.
struct Workers: Sendable {
  let arguments: Arguments

  /// How many lives a child has.
  private static let share = 500
  /// How long a life may take.
  private static let longestLife = Duration.seconds(60)

  /// What became of a life that failed.
  struct Failure {
    let seed: UInt64
    /// What ended the child in the middle of it; `nil` if it came to its end.
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

  /// The first life that fails, whichever child has it; `nil` if none does.
  ///
  /// - Parameter report: told now and then how many lives are done.
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

  /// Has one share after the other lived; all that come before a failure are.
  private func work(_ box: ProgressBox, _ report: (Int) -> Void) throws {
    while true {
      let first = box.progress.withLock { progress in
        defer { progress.next += Workers.share }
        return progress.failures.isEmpty ? progress.next : arguments.lives
      }
      guard first < arguments.lives else { return }
      let count = min(Workers.share, arguments.lives - first)
      let failure = try Workers.live(count, from: arguments.seed &+ UInt64(first))
      let done = box.progress.withLock { progress in
        progress.failures[first] = failure
        progress.done += count
        return progress.done
      }
      if failure == nil, done.isMultiple(of: 20 * Workers.share) { report(done) }
    }
  }

  /// Has a child live some lives; the child says of each that it begins.
  private static func live(_ count: Int, from seed: UInt64) throws -> Failure? {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let child = try ChildProcess(
      program, ["--inside", "yes", "--seed", "\(seed)", "--lives", "\(count)"],
      environment: ProcessInfo.processInfo.environment)
    var last = seed
    var end = ""
    do {
      while let begun = UInt64(try child.line(within: longestLife)) { last = begun }
    } catch {
      end = "\(error)"
      // One that hangs is ended; to one that has ended this does nothing.
      child.signal(SIGKILL)
    }
    switch try child.exitStatus() {
    case 0: return nil
    case 1: return Failure(seed: last, cause: nil)
    case let status:
      try Scratch.removeAbandoned()
      return Failure(seed: last, cause: "the child ended with status \(status); \(end)")
    }
  }
}
