import Glibc
import NotifierLedger
import SequenceConfiguration
import SequencePlatform
import SequencePlanning
package import SequenceRunner

/// Keeps an agent running while a run is followed, even if the agent is killed.
package final class AgentWatch {
  private let client: Client
  private var store: RunStore { client.store }
  private var watched: WatchedAgent?
  /// The time when the watched agent was found, on the boot clock.
  private var foundAt: Duration
  /// The time to look for an agent again, on the boot clock; `nil` if an agent is running, or none is needed.
  package private(set) var nextCheck: Duration?
  private var pause = AgentWatch.shortestPause
  private var lastRuns: [ActiveRunSnapshot] = []
  /// Whether an agent was running before, so that its report on the desktop is current.
  package let hadAgent: Bool

  /// The time until an agent that ended is replaced.
  ///
  /// It grows while agents end early, or can't be started.
  private static let shortestPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(60)

  package init(_ client: Client) throws {
    self.client = client
    let agent = client.ensureAgent()
    hadAgent = agent.map { !$0.isNew } ?? false
    foundAt = client.store.clock.now().boot
    try watch(agent)
  }

  /// The descriptors to wait for: readable once the agent has ended.
  package var descriptors: [Int32] { watched.map { [$0.end.number] } ?? [] }

  /// Starts an agent if there is something to do for it after a change by this process.
  package func ensure() throws {
    // If the watched agent is ending, it is replaced once it has ended.
    if watched == nil { try watch(client.ensureAgent()) }
  }

  /// Takes over the active runs: a change of them may need an agent.
  package func followRuns(_ status: RunStatus) {
    // The process that changed a run has just started an agent.
    if watched == nil, status.runsByStart != lastRuns {
      // An agent that ended early would end again.
      nextCheck =
        nextCheck ?? max(store.clock.now().boot + AgentWatch.shortestPause, foundAt + pause)
    }
    lastRuns = status.runsByStart
  }

  /// Replaces an agent that has ended, if there is still something to do for it.
  package func replaceIfEnded(_ ready: [Int32]) throws {
    let now = store.clock.now().boot
    if let ended = watched, ready.contains(ended.end.number) {
      ended.reap()
      watched = nil
      let hasLivedLong = now - foundAt > AgentWatch.longestPause
      pause = hasLivedLong ? AgentWatch.shortestPause : min(pause * 2, AgentWatch.longestPause)
      nextCheck = foundAt + pause
    }
    guard let due = nextCheck, due <= now else { return }
    nextCheck = nil
    // An agent that has nothing left to do ends by itself.
    let isResting = try client.hasNothingToWaitFor(ignoringWaiting: true)
    guard
      try !isResting
        || store.peek().runs.contains(where: { !$0.isPaused || client.configuration().hasPanel })
    else { return pause = AgentWatch.shortestPause }
    try watch(client.ensureAgent(ignoringWaiting: true))
    guard watched == nil, client.agentFailure != nil else { return }
    foundAt = now
    pause = min(pause * 2, AgentWatch.longestPause)
    nextCheck = foundAt + pause
  }

  private func watch(_ agent: AgentPresence?) throws {
    guard let agent, agent.process != watched?.process else { return }
    watched?.reap()
    foundAt = store.clock.now().boot
    do throws(SystemError) {
      watched = try WatchedAgent(agent)
    } catch {
      // The agent has ended already.
      guard error.code == ESRCH else { throw error }
      watched = nil
      pause = min(pause * 2, AgentWatch.longestPause)
      nextCheck = foundAt + pause
    }
  }
}

/// An agent and a descriptor that is readable once it has ended.
private final class WatchedAgent {
  let process: Int32
  let end: FileDescriptor

  init(_ agent: AgentPresence) throws(SystemError) {
    process = agent.process
    end = try FileDescriptor(ofProcess: agent.process)
  }

  /// Takes the exit status of a child that has ended, which would stay as a zombie otherwise.
  func reap() {
    var status: Int32 = 0
    // It fails for processes that aren't children.
    _ = unsafe waitpid(process, &status, WNOHANG)
  }
}
