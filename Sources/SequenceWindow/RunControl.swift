import Glibc
import Platform
import SequencePlanning
import SequenceRunner
import Store

/// The run of a state directory: read by value, and changed by the step and the run that are shown.
final class RunControl {
  private let store: RunStore
  private let waiter: StoreWaiter
  private var sources: [(descriptor: Int32, source: LoopSource)] = []
  private var deadline: Duration?
  /// Called when the store has changed, or a time has come that was waited for.
  var onNews: () -> Void = {}
  /// Called with an error that no action of the user caused.
  var onError: (any Error) -> Void = { _ in }

  init(directory: StateDirectory, clock: any ClockSource) throws {
    store = try RunStore.withNotifications(in: directory, clock: clock)
    waiter = try StoreWaiter(store.base)
  }

  func status() throws -> RunStatus { try store.settle() }

  func endedRun(_ run: ActiveRunSnapshot) throws -> EndedRun? { try store.endedRun(id: run.runID) }

  /// Does a command to the step and the run that the user saw, and to no other.
  func perform(_ command: RunCommand, on shown: ActiveRunSnapshot) throws {
    _ = try store.perform(command, onStep: shown.log.count, ofRun: shown.runID) { _, _ in }
    try ensureAgent()
  }

  /// Starts a run of a sequence.
  func start(_ timeline: Timeline) throws {
    _ = try store.start(timeline)
    try ensureAgent()
  }

  /// Starts an agent if there is something to do for it and none is running.
  private func ensureAgent() throws {
    guard try !store.repairing({ try store.isAtRest() }),
      case .absent = try PresenceSocket.ask(path: store.directory.agentSocketPath),
      let program = try installedProgram("sequence-agent")
    else { return }
    let log = Subprocess.Stream.path(
      store.directory.agentLogPath, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    _ = try Subprocess.spawn(
      [program, "--state-dir", store.directory.path], environment: EnvironmentVariables.process.entries,
      streams: (.null, log, log))
  }

  /// Follows the store in GLib's main loop.
  func follow() { wait(until: nil) }

  /// Also waits for a time on the boot clock; `nil` for changes of the store only.
  func wait(until deadline: Duration?) {
    self.deadline = deadline
    do {
      let descriptors = try waiter.prepare(until: deadline)
      guard descriptors != sources.map(\.descriptor) else { return }
      sources = descriptors.map { descriptor in
        (descriptor, LoopSource.readable(descriptor) { [unowned self] in wake(descriptor) })
      }
    } catch {
      onError(error)
    }
  }

  private func wake(_ descriptor: Int32) {
    do {
      try waiter.settle([descriptor])
    } catch {
      onError(error)
    }
    wait(until: nil)
    onNews()
  }
}
