package import FoundationEssentials
import Glibc
import NotifierLedger
package import SequenceConfiguration
package import SequencePlatform
import SequenceRunner
package import SequenceStore

/// Runs hooks without ever waiting for them.
///
/// Each hook runs one process at a time, in the order of the events; all hooks together run a few.
package final class HookRunner {
  let environment: HookEnvironment
  private let clock: any ClockSource
  private var waiting: [HookJob] = []
  private var running: [Int32: HookProcess] = [:]
  private var problems: [(job: HookJob, problem: HookProblem)] = []

  package static let mostRunning = 8
  /// How many events of a run a busy hook may have to wait for; then the oldest of them is dropped.
  package static let mostWaiting = 8

  package init(_ environment: HookEnvironment, clock: any ClockSource) {
    self.environment = environment
    self.clock = clock
  }

  /// The descriptors to wait on: readable once a program has ended.
  package var descriptors: [Int32] { Array(running.keys) }

  /// When to look again, on the boot clock: a program must have ended by then; `nil` for never.
  package var nextWake: Duration? { running.values.filter { !$0.isKilled }.map(\.deadline).min() }

  /// Whether nothing runs and nothing waits to; a killed program may take its time to end.
  package var hasNothingToWaitFor: Bool { waiting.isEmpty && running.values.allSatisfy(\.isKilled) }

  package func add(_ job: HookJob) {
    let ahead = waiting.indices.filter { waiting[$0].hook == job.hook && waiting[$0].run == job.run }
    if ahead.count >= HookRunner.mostWaiting, let oldest = ahead.first {
      let dropped = waiting.remove(at: oldest)
      problems.append((dropped, HookProblem(.dropped, "it was still busy with what happened before")))
    }
    waiting.append(job)
  }

  /// Removes waiting events of a run from a hook, and kills its process if that takes longer than usual.
  func removeOutdated(of hook: Hook, in run: UUID) {
    waiting.removeAll { $0.hook == hook && $0.run == run }
    let now = clock.now().boot
    for process in running.values
    where process.job.hook == hook && !process.isKilled && process.isHanging(at: now) { process.kill() }
  }

  /// Collects the ends of hooks, and starts those whose turn has come.
  package func collect(_ ready: [Int32]) {
    let now = clock.now().boot
    for descriptor in ready {
      guard let process = running.removeValue(forKey: descriptor) else { continue }
      record(process.job, .failed) { () throws(SystemError) in try process.finish(at: now) }
    }
    for process in running.values { process.end(at: now) }
    startWaiting(at: now)
  }

  /// The problems since the last call.
  package func takeProblems() -> [(job: HookJob, problem: HookProblem)] {
    defer { problems = [] }
    return problems
  }

  /// Kills the running programs with their children, and removes waiting events.
  package func endAll() {
    waiting = []
    for process in running.values { process.kill() }
    Subprocess.collect(killed: running.values.map(\.identifier))
    running = [:]
  }

  private func startWaiting(at now: Duration) {
    var busy = running.values.filter { !$0.isKilled }.map(\.job.hook)
    var later: [HookJob] = []
    for job in waiting {
      guard running.values.count(where: { !$0.isKilled }) < HookRunner.mostRunning, !busy.contains(job.hook)
      else {
        // Later events of the same hook have to wait too.
        busy.append(job.hook)
        later.append(job)
        continue
      }
      record(job, .notStarted) { () throws(SystemError) in try start(job, at: now) }
      if running.values.contains(where: { $0.job.hook == job.hook && !$0.isKilled }) { busy.append(job.hook) }
    }
    waiting = later
  }

  private func start(_ job: HookJob, at now: Duration) throws(SystemError) -> HookProblem? {
    guard let program = findProgram(job.hook.program, in: environment.searchPath) else {
      return HookProblem(.notStarted, "the program \(job.hook.program) was not found, or is not executable")
    }
    guard let timeout = findProgram("timeout", in: environment.searchPath) ?? findProgram("timeout", in: nil)
    else {
      return HookProblem(.notStarted, "the program timeout, which ends hooks in time, was not found")
    }
    let process = try HookProcess(job, program: program, timeout: timeout, in: environment, at: now)
    running[process.descriptor] = process
    return nil
  }

  /// - Parameter kind: the kind of problem that an error of the system is.
  private func record(
    _ job: HookJob, _ kind: HookFailure.Kind, _ body: () throws(SystemError) -> HookProblem?
  ) {
    do throws(SystemError) {
      if let problem = try body() { problems.append((job, problem)) }
    } catch {
      problems.append((job, HookProblem(kind, "\(error.call): \(error.reason)")))
    }
  }
}

package struct HookJob: Equatable, Sendable {
  package let hook: Hook
  package let run: UUID
  package let words: HookWords
  /// One more argument, which is handed over as it is; `nil` for none.
  package let text: String?
  package let limit: Duration
  /// How long it takes as a rule; `nil` if that is unknown.
  package let usualTime: Duration?

  /// - Parameters:
  ///   - limit: `nil` for the limit of the hook.
  ///   - usualTime: if the job takes longer, a later job may take its place.
  package init(
    hook: Hook, run: UUID, words: HookWords, text: String? = nil, limit: Duration? = nil,
    usualTime: Duration? = nil
  ) {
    self.hook = hook
    self.run = run
    self.words = words
    self.text = text
    self.limit = limit ?? hook.timeout
    self.usualTime = usualTime
  }

  var arguments: [String] { hook.arguments.map { words.filled($0) } + (text.map { [$0] } ?? []) }
}

package struct HookProblem: Equatable, Sendable {
  package let kind: HookFailure.Kind
  package let detail: String

  package init(_ kind: HookFailure.Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

package struct HookEnvironment: Sendable {
  /// The environment variables, each as `NAME=value`, without those of an event.
  package let variables: [String]
  package let searchPath: String?
  /// The working directory: the user's home, or the root.
  package let directory: String
  /// Whether the agent is a service of systemd, or was started by one.
  let isOfService: Bool

  /// - Parameter state: the state directory, so that a hook that calls `sequence` means the same run.
  package init(_ environment: EnvironmentVariables, state: StateDirectory) {
    let own = Set(HookVariable.allCases.map(\.rawValue) + ["SEQUENCE_STATE_DIR"])
    variables =
      environment.entries.filter { !own.contains(String($0.unicodeScalars.prefix { $0 != "=" })) }
      + ["SEQUENCE_STATE_DIR=\(state.path)"]
    searchPath = environment["PATH"]
    isOfService = environment["INVOCATION_ID"] != nil
    directory = environment["HOME"].flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil } ?? "/"
  }
}

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
