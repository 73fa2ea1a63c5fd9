import NotificationLedger
import Platform
import SequenceConfiguration
import SequencePlanning
import SequenceRunner

extension Client {
  /// Starts an agent if there is something to do for it and no agent will see the last change.
  ///
  /// A held lock doesn't prove that an agent is running: the agent may be ending, or was killed and is not gone yet. So
  /// the agent is asked. A new agent waits until the one before it has ended.
  ///
  /// The user is warned of a failure, which doesn't undo the action.
  ///
  /// - Parameter ignoresWaiting: whether an agent isn't needed for notifications for which there was no server so far.
  /// - Returns: the agent; `nil` if none is needed, or none could be started.
  @discardableResult
  package func ensureAgent(ignoringWaiting ignoresWaiting: Bool = false) -> AgentPresence? {
    do {
      let isResting = try store.repairing { try store.isAtRest(ignoringWaiting: ignoresWaiting) }
      guard try !isResting || isWantedByConfiguration() else { return nil }
      switch try PresenceSocket.ask(path: store.directory.agentSocketPath) {
      case .present(let process): return AgentPresence(process: process, isNew: false)
      case .silent(let process):
        let name = process.map { "the agent (process \($0))" } ?? "the agent"
        context.warn(
          Explanation(
            "\(name) does not respond, so notifications may be late",
            remedy: process.map { "if that persists, run kill -KILL \($0)" }))
        return process.map { AgentPresence(process: $0, isNew: false) }
      case .absent:
        // The agent itself could report a lock that it can't open only in its log.
        _ = try FileLock(path: store.directory.agentLockPath)
        return AgentPresence(process: try context.startAgent(store.directory), isNew: true)
      }
    } catch {
      let failure = Explanation(error, isDone: true)
      context.warn(
        Explanation("\(failure.problem), so no notifications are shown", remedy: failure.remedy))
      return nil
    }
  }

  /// Whether hooks or cues subscribe to events of the active run, or its countdown keeps the machine awake.
  private func isWantedByConfiguration() throws -> Bool {
    let status = try store.status()
    let configuration = configuration()
    if !configuration.subscribedEvents(of: status.run?.options ?? .unspecified).isEmpty { return true }
    return configuration.keepsAwake && status.run?.countdownEnd(after: status.reading) != nil
  }
}
