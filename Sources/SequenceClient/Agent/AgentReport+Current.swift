package import NotifierLedger
package import SequencePlatform
package import SequenceStore

extension AgentReport {
  /// Whether the report is from the agent that is running, and not from an agent before it.
  package func isCurrent(in directory: StateDirectory) throws(SystemError) -> Bool {
    // The process is known without an answer, so a stopped agent delays nothing.
    switch try PresenceSocket.ask(path: directory.agentSocketPath, within: .zero) {
    case .present(let process), .silent(let process?): process == self.process
    // So many processes ask that the agent can't be asked.
    case .silent(nil): true
    // The agent is starting or ending.
    case .absent: false
    }
  }
}
