import Glibc
import SequencePlatform
import SequenceStore

/// Opens the window, or the live display in a terminal, without ever waiting for the programs that do that.
///
/// What they write goes to the agent's standard error.
final class WindowStarter {
  private let environment: HookEnvironment
  private let state: StateDirectory
  private let onFailure: (any Error) -> Void
  private var starting: Starting?

  private final class Starting {
    let process: Subprocess
    /// On the boot clock.
    let deadline: Duration
    var isKilled = false

    init(_ process: consuming Subprocess, until deadline: Duration) {
      self.process = process
      self.deadline = deadline
    }
  }

  /// How long opening the window may take: longer than `systemd-run` waits for its bus.
  static let limit = Duration.seconds(30)

  init(_ environment: HookEnvironment, in state: StateDirectory, onFailure: @escaping (any Error) -> Void) {
    self.environment = environment
    self.state = state
    self.onFailure = onFailure
  }

  var descriptors: [Int32] { starting.map { [$0.process.descriptor] } ?? [] }

  var nextWake: Duration? { starting.flatMap { $0.isKilled ? nil : $0.deadline } }

  /// Opens the window, unless it is being opened.
  ///
  /// - Parameters:
  ///   - asksStop: whether the window asks whether to stop the run.
  ///   - now: the time on the boot clock.
  func open(asksStop: Bool, at now: Duration) {
    guard starting == nil else { return fail("it is still being opened") }
    do throws(SystemError) {
      guard let program = try installedProgram("sequence") else {
        return fail("the program sequence was not found")
      }
      let window = [program, "window", "--or-terminal"] + (asksStop ? ["--ask-stop"] : [])
      let process = try Subprocess(
        starter + window, environment: environment.variables,
        streams: (.null, .descriptor(STDERR_FILENO), .descriptor(STDERR_FILENO)), in: environment.directory)
      starting = Starting(process, until: now + WindowStarter.limit)
    } catch {
      fail("\(error.call): \(error.reason)")
    }
  }

  /// The program that starts the window, and ends at once.
  ///
  /// A service of systemd takes its programs with it when it ends, and may not know of the screen: systemd starts the
  /// window, then. Otherwise a shell does.
  private var starter: [String] {
    if environment.isOfService, let systemd = findProgram("systemd-run", in: environment.searchPath) {
      [systemd, "--user", "--quiet", "--collect", "--setenv=SEQUENCE_STATE_DIR=\(state.path)"]
    } else {
      ["/bin/sh", "-c", "\"$@\" &", "sh"]
    }
  }

  /// - Parameter now: the time on the boot clock.
  func collect(_ ready: [Int32], at now: Duration) {
    guard let starting else { return }
    guard ready.contains(starting.process.descriptor) else {
      guard !starting.isKilled, now >= starting.deadline else { return }
      starting.process.sendKill()
      starting.isKilled = true
      return fail("it took longer than 30s")
    }
    self.starting = nil
    do throws(SystemError) {
      let ending = try starting.process.wait()
      guard ending != .exit(0), !starting.isKilled else { return }
      let name = starter[0].split(separator: "/").last ?? ""
      switch ending {
      case .exit(let status): fail("\(name) ended with status \(status)")
      case .signal(let number): fail("signal \(number) ended \(name)")
      }
    } catch {
      fail("\(error.call): \(error.reason)")
    }
  }

  private func fail(_ reason: String) { onFailure(Problem("the window cannot be opened: \(reason)")) }

  func end() { starting?.process.sendKill() }
}
