package struct AgentPresence {
  package let process: Int32
  package let isNew: Bool
}
