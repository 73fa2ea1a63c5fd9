import Glibc

/// An agent that is there, or has just been started.
struct AgentPresence {
  let process: Int32
  let isNew: Bool
}
