import Glibc
import NotificationLedger
import Platform
import SequencePlanning
import SequenceRunner

/// Keeps an agent there for as long as a run is followed, even if the agent is killed.
final class AgentWatch {
  private let store: RunStore
  private let context: CommandContext
  private var watched: WatchedAgent?
  /// When the watched agent was found, on the boot clock.
  private var foundAt: Duration
  /// When to look for an agent again, on the boot clock; `nil` if there is one, or none is needed.
  private(set) var nextLook: Duration?
  private var pause = AgentWatch.shortestPause
  private var lastRun: ActiveRunSnapshot?
  /// Whether an agent was there before this command, so that its report on the desktop is of now.
  let hadAgent: Bool

  /// How long an agent that ended is left alone; an agent that can't live is started ever less often.
  private static let shortestPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(60)

  /// Has an agent started if there is something for it to do.
  init(_ store: RunStore, _ context: CommandContext) throws {
    self.store = store
    self.context = context
    let agent = context.ensureAgent(store)
    hadAgent = agent.map { !$0.isNew } ?? false
    foundAt = store.clock.now().boot
    try watch(agent)
  }

  /// What to wait on: readable once the agent has ended.
  var descriptors: [Int32] { watched.map { [$0.end.number] } ?? [] }

  /// Has an agent started if there is something for it to do, since the store was changed here.
  func ensure() throws {
    // If the watched agent is ending, it is replaced once it has ended.
    if watched == nil { try watch(context.ensureAgent(store)) }
  }

  /// Takes note of the run that is shown: a change of it may need an agent where there was nothing to do before.
  func note(_ run: ActiveRunSnapshot?) {
    // Whoever changed the run has just had an agent started.
    if watched == nil, run != lastRun { nextLook = store.clock.now().boot + AgentWatch.shortestPause }
    lastRun = run
  }

  /// Replaces an agent that has ended, if there is still something for it to do.
  ///
  /// - Parameter ready: those of `descriptors` that are readable.
  func tend(_ ready: [Int32]) throws {
    let now = store.clock.now().boot
    if let ended = watched, ready.contains(ended.end.number) {
      ended.reap()
      watched = nil
      let hasLivedLong = now - foundAt > AgentWatch.longestPause
      pause = hasLivedLong ? AgentWatch.shortestPause : min(pause * 2, AgentWatch.longestPause)
      nextLook = foundAt + pause
    }
    guard let due = nextLook, due <= now else { return }
    nextLook = nil
    // An agent that has nothing left to do ends by itself.
    let run = try store.settle().run
    guard try !store.readLedger({ try $0.isAtRest() }) || run?.isPaused == false else { return }
    try watch(context.ensureAgent(store))
  }

  private func watch(_ agent: AgentPresence?) throws {
    guard let agent, agent.process != watched?.process else { return }
    watched?.reap()
    foundAt = store.clock.now().boot
    do throws(SystemError) {
      watched = try WatchedAgent(agent)
    } catch {
      // It has ended already.
      guard error.code == ESRCH else { throw error }
      watched = nil
      nextLook = foundAt + pause
    }
  }
}

/// An agent, and the descriptor that is readable once it has ended.
private final class WatchedAgent {
  let process: Int32
  let end: FileDescriptor

  init(_ agent: AgentPresence) throws(SystemError) {
    process = agent.process
    end = try FileDescriptor(ofProcess: agent.process)
  }

  /// Takes the exit status, if the agent has ended and is a child of this process: else it would stay as a zombie.
  func reap() {
    var status: Int32 = 0
    // It fails for processes that aren't children.
    _ = unsafe waitpid(process, &status, WNOHANG)
  }
}
