import Glibc
import Platform
import SequenceRunner

@testable import SequenceCommand

extension AgentWatch {
  /// Watches over a store without ever starting an agent.
  static func idle(_ store: RunStore) throws -> AgentWatch {
    let context = CommandContext(
      environment: [:], clock: try SystemClock(), print: { _ in }, printError: { _ in },
      startAgent: { _ in getpid() }, agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    return try AgentWatch(store, context)
  }
}
