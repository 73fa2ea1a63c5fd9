import Glibc
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequenceRunner

/// A hook that runs.
///
/// It runs under `timeout` of the coreutils in a session of its own. `timeout` ends it with its process group when its
/// time is over, even if the agent was killed meanwhile.
final class HookProcess {
  let job: HookJob
  private let process: Subprocess
  private let output: BoundedFile
  /// On the boot clock.
  private let startedAt: Duration
  /// Whether the runner has killed it, and its end is still to come.
  private(set) var isKilled = false

  /// How much of its standard error is kept, in bytes.
  private static let mostOutput = 16_384
  /// The statuses of `timeout` after it has ended a program, and its own end if it had to kill the process group.
  private static let timeoutTerminations: [Termination] = [
    .exit(124), .exit(128 + SIGKILL), .signal(SIGKILL),
  ]

  /// How long after its limit `timeout` must have ended it: `timeout` itself may be stopped.
  private static let grace = Duration.seconds(2)

  /// When it is killed if `timeout` has not ended it, on the boot clock.
  private(set) var deadline: Duration

  func isHanging(at now: Duration) -> Bool { job.usualTime.map { now - startedAt > $0 } ?? false }

  /// - Parameters:
  ///   - timeout: the path of `timeout`.
  ///   - now: the time on the boot clock.
  init(
    _ job: HookJob, program: String, timeout: String, in environment: HookEnvironment, at now: Duration
  ) throws(SystemError) {
    self.job = job
    startedAt = now
    deadline = now + job.limit + HookProcess.grace
    output = try BoundedFile(size: HookProcess.mostOutput)
    let limit = job.limit.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let fraction = String(1_000_000_000 + limit.remainder).dropFirst()
    process = try Subprocess(
      // It is asked to end at its limit, and killed a second later.
      [timeout, "--kill-after=1", "\(limit.quotient).\(fraction)", program] + job.arguments,
      environment: environment.variables + job.words.environment,
      streams: (.null, .null, .descriptor(output.descriptor)), in: environment.directory)
  }

  var identifier: Int32 { process.identifier }
  /// Readable once the program has ended.
  var descriptor: Int32 { process.descriptor }

  /// Collects the end of the program; returns `nil` if nothing went wrong.
  func finish(at now: Duration) throws(SystemError) -> HookProblem? {
    let termination = try process.wait(collecting: false)
    let hasTimedOut =
      isKilled || now - startedAt >= job.limit && HookProcess.timeoutTerminations.contains(termination)
    if hasTimedOut {
      // Its children may still run although it was asked to end.
      process.kill()
    } else {
      _ = try process.wait()
    }
    let said = try output.lastLine().map { ": " + $0 } ?? ""
    guard !hasTimedOut else {
      let limit = isKilled ? min(now - startedAt, job.limit) : job.limit
      return HookProblem(.timeout, "it took longer than \(DurationText.shown(limit))\(said)")
    }
    switch termination {
    case .exit(0): return nil
    case .exit(let status): return HookProblem(.failed, "exit status \(status)\(said)")
    case .signal(let number): return HookProblem(.failed, "signal \(number) ended it\(said)")
    }
  }

  func end(at now: Duration) {
    guard !isKilled, deadline <= now else { return }
    // The clock of `timeout` stops while the machine sleeps.
    if now - deadline > Lateness.limit { deadline = now + job.limit + HookProcess.grace } else { kill() }
  }

  func kill() {
    process.sendKill()
    isKilled = true
  }
}
