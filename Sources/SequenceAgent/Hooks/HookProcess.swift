import Glibc
import NotificationLedger
import Platform
import SequenceConfiguration
import SequenceRunner

/// A hook that runs: a process in a session of its own, which is killed with its group when its time is over.
final class HookProcess {
  let job: HookJob
  private let process: pid_t
  private let end: FileDescriptor
  private let output: BoundedFile
  private var stage: Stage

  /// How far a hook has come; times are on the boot clock.
  private enum Stage {
    /// It runs, and may until then.
    case running(until: Duration)
    /// It was asked to end, and may take until then for it.
    case asked(until: Duration)
    /// It was killed, and its end is awaited.
    case killed
  }

  /// How much of what it writes to standard error is kept, in bytes.
  private static let mostOutput = 16_384
  /// How long a hook may take to end once it is asked to.
  static let grace = Duration.seconds(1)

  /// Starts the program of a hook.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - surroundings: the environment that it gets beside what it is told, and the directory it works in.
  ///   - now: the time on the boot clock.
  init(
    _ job: HookJob, program: String, in surroundings: HookSurroundings, at now: Duration
  ) throws(SystemError) {
    self.job = job
    output = try BoundedFile(size: HookProcess.mostOutput)
    let null = DetachedProcess.File.path("/dev/null", flags: O_RDWR)
    process = try DetachedProcess.spawn(
      [program] + job.arguments,
      environment: surroundings.environment + job.words.environment,
      files: (null, null, .descriptor(output.descriptor)), in: surroundings.directory)
    do throws(SystemError) {
      end = try FileDescriptor(ofProcess: process)
    } catch {
      // Nobody would hear of its end.
      HookProcess.kill(process)
      throw error
    }
    stage = .running(until: now + job.hook.timeout)
  }

  /// What to wait on: readable once the program has ended.
  var descriptor: Int32 { end.number }

  /// When it is to be asked to end, or killed, on the boot clock; `nil` if that was done.
  var deadline: Duration? {
    switch stage {
    case .running(let time), .asked(let time): time
    case .killed: nil
    }
  }

  /// Sees to it that the program ends in time.
  func tend(at now: Duration) {
    // The group is there as long as the program is not waited for: nothing else can have its number.
    switch stage {
    case .running(let time) where time <= now:
      _ = Glibc.kill(-process, SIGTERM)
      stage = .asked(until: now + HookProcess.grace)
    case .asked(let time) where time <= now:
      _ = Glibc.kill(-process, SIGKILL)
      stage = .killed
    case .running, .asked, .killed: break
    }
  }

  /// Takes note that the program has ended.
  ///
  /// - Returns: what went wrong; `nil` if nothing did.
  func finish() throws(SystemError) -> HookProblem? {
    let isTimeOver = if case .running = stage { false } else { true }
    // What it started may have stayed when it was asked to end.
    if isTimeOver { _ = Glibc.kill(-process, SIGKILL) }
    var status: Int32 = 0
    _ = try SystemError.check("waitpid") { unsafe waitpid(process, &status, 0) }
    let said = HookProcess.lastLine(try output.text())
    guard !isTimeOver else {
      return HookProblem(.timeOver, "it took longer than \(DurationText.format(job.hook.timeout))\(said)")
    }
    // As <sys/wait.h> has it: a signal in the low bits, else the exit status above them.
    guard status & 0x7f == 0 else { return HookProblem(.failed, "signal \(status & 0x7f) ended it\(said)") }
    return status == 0 ? nil : HookProblem(.failed, "exit status \(status >> 8 & 0xff)\(said)")
  }

  /// Kills it, with its group, and waits for its end, which is a moment away.
  func kill() { HookProcess.kill(process) }

  private static func kill(_ process: pid_t) {
    _ = Glibc.kill(-process, SIGKILL)
    var status: Int32 = 0
    // It fails only if there is no such child.
    _ = unsafe waitpid(process, &status, 0)
  }

  private static func lastLine(_ text: String) -> String {
    guard let line = text.split(whereSeparator: \.isNewline).last else { return "" }
    return ": " + TextSafety.sanitised(String(String.UnicodeScalarView(line.unicodeScalars.prefix(200))))
  }
}
