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
