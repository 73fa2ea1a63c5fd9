/// An agent that is running or was just started.
package struct AgentPresence {
  /// The process of the agent.
  package let process: Int32
  /// Whether it was just started.
  package let isNew: Bool
}
