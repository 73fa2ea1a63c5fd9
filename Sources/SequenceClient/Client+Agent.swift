import NotifierLedger
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequenceRunner
package import SequenceStore

extension Client {
  /// Starts an agent if there is something to do for it and no agent will see the last change.
  ///
  /// A held lock doesn't prove that an agent is running: the agent may be ending, or was killed and is not gone yet. So
  /// the agent is asked. A new agent waits until the one before it has ended.
  ///
  /// The user is warned of a failure, which doesn't undo the action.
  ///
  /// - Parameters:
  ///   - ignoresWaiting: whether an agent isn't needed for notifications for which there was no server so far.
  ///   - isByTime: whether only time has changed something. Then no agent is started soon after another one: it would end
  ///     like that one.
  /// - Returns: the agent; `nil` if none is needed, or none could be started.
  @discardableResult
  package func ensureAgent(
    ignoringWaiting ignoresWaiting: Bool = false, byTime isByTime: Bool = false
  ) -> AgentPresence? {
    do {
      if isByTime, let lastStart, store.clock.now().boot < lastStart.at + lastStart.pause { return nil }
      let isResting = try hasNothingToWaitFor(ignoringWaiting: ignoresWaiting)
      guard try !isResting || isWantedByConfiguration() else { return nil }
      let path = store.directory.agentSocketPath
      guard let ask = context.askPatiently else { return try presence(PresenceSocket.ask(path: path)) }
      let reply = try PresenceSocket.ask(path: path, within: Client.shortLimit)
      guard case .silent(let process) = reply else { return try presence(reply) }
      ask(path) { [weak self] in self?.receive($0) }
      return process.map { AgentPresence(process: $0, isNew: false) }
    } catch {
      warn(ofAgent: error)
      return nil
    }
  }

  /// Whether neither a notification nor a schedule needs an agent.
  package func hasNothingToWaitFor(ignoringWaiting ignoresWaiting: Bool) throws(StoreError) -> Bool {
    try store.repairing { () throws(StoreError) in
      guard try store.hasNothingToWaitFor(ignoringWaiting: ignoresWaiting) else { return false }
      return try ScheduleTable(store.database).isEmpty()
    }
  }

  /// How long a face that must not wait gives an agent to answer at once.
  private static let shortLimit = Duration.milliseconds(20)
  private static let shortestPause = Duration.milliseconds(500)
  private static let longestPause = Duration.seconds(60)

  private func receive(_ reply: Result<PresenceSocket.Reply, SystemError>) {
    do {
      _ = try presence(reply.get())
    } catch {
      warn(ofAgent: error)
    }
  }

  /// Starts an agent if none is there, and warns of one that doesn't answer.
  private func presence(_ reply: PresenceSocket.Reply) throws -> AgentPresence? {
    switch reply {
    case .present(let process):
      agentFailure = nil
      return AgentPresence(process: process, isNew: false)
    case .silent(let process):
      let name = process.map { LocalizedText("the agent (process \($0))") } ?? LocalizedText("the agent")
      context.warn(
        Problem(
          "\(name) does not respond, so notifications may be late",
          remedy: process.map { LocalizedText("if that persists, run kill -KILL \($0)") }))
      return process.map { AgentPresence(process: $0, isNew: false) }
    case .absent:
      // The agent itself could report a lock that it can't open only in its log.
      _ = try FileLock(path: store.directory.agentLockPath)
      let now = store.clock.now().boot
      let isEarly = lastStart.map { now - $0.at < Client.longestPause * 2 } ?? false
      let pause = isEarly ? lastStart.map { min($0.pause * 2, Client.longestPause) } : nil
      lastStart = (now, pause ?? Client.shortestPause)
      let process = try context.startAgent(store.directory)
      agentFailure = nil
      return AgentPresence(process: process, isNew: true)
    }
  }

  /// Warns the user that no agent can be started, once until the reason changes.
  package func warn(ofAgent error: any Error) {
    let cause = explained(error, isDone: true)
    let failure = Problem("\(cause.text), so no notifications are shown", remedy: cause.remedy)
    if failure != agentFailure { context.warn(failure) }
    agentFailure = failure
  }

  /// Starts an agent if none is there although notifications are due.
  package func showDue() throws {
    let isDue = try store.readLedger { ledger throws(StoreError) in
      try !ledger.due(at: store.clock.now()).isEmpty
    }
    if isDue { ensureAgent() }
  }

  /// Whether hooks or cues subscribe to events of an active run, or a countdown keeps the machine awake.
  private func isWantedByConfiguration() throws -> Bool {
    let status = try store.peek()
    let configuration = configuration()
    // Hooks also get the end of a run that is over.
    let cues = status.runs.isEmpty ? [configuration.cues] : status.runs.map(configuration.cues.of)
    if cues.contains(where: { !configuration.subscribedEvents(with: $0).isEmpty }) { return true }
    if configuration.hasPanel, !status.runs.isEmpty { return true }
    if configuration.keepsAwake,
      status.runs.contains(where: { $0.countdownEnd(after: status.reading) != nil })
    {
      return true
    }
    guard configuration.keepsScreenOn, !status.runs.isEmpty else { return false }
    let shown = try DisplayedRuns(in: store.directory)
    return try status.runs.contains { try !$0.isPaused && shown.contains($0.runID) }
  }
}

package struct AgentPresence {
  package let process: Int32
  package let isNew: Bool
}
