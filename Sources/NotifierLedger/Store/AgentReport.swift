package import SequencePlatform
package import SequenceStore

/// The last report of the agent about itself and the desktop.
package struct AgentReport: Equatable, Sendable {
  /// The agent's process.
  package let process: Int32
  /// When the agent was started.
  package let startedAt: Moment
  /// Whether notifications can be shown.
  package let desktop: DesktopState
  /// When that was found out.
  package let updatedAt: Moment

  package init(process: Int32, startedAt: Moment, desktop: DesktopState, updatedAt: Moment) {
    self.process = process
    self.startedAt = startedAt
    self.desktop = desktop
    self.updatedAt = updatedAt
  }
}

/// Whether notifications can be shown.
@nonexhaustive
public enum DesktopState: Equatable, Sendable {
  /// It has not been found out yet.
  case unknown
  /// A server of this name and version answers, with the capabilities that the specification names, such as `actions`.
  case available(server: String, capabilities: Set<String> = [])
  /// There is none, for a reason in words.
  case unavailable(reason: String)
}

extension Ledger {
  /// The last report of an agent; `nil` if no agent has run.
  package func agentReport() throws(StoreError) -> AgentReport? {
    try database.rows("SELECT pid, started_at, desktop, detail, updated_at, capabilities FROM agent_report") {
      row in
      let desktop: DesktopState =
        switch row.text(2) {
        case "available":
          .available(
            server: row.text(3),
            capabilities: Set(row.text(5).split(separator: " ").map(String.init)))
        case "unavailable": .unavailable(reason: row.text(3))
        default: .unknown
        }
      return AgentReport(
        process: Int32(truncatingIfNeeded: row.integer(0)),
        startedAt: Moment(microseconds: row.integer(1)), desktop: desktop,
        updatedAt: Moment(microseconds: row.integer(4)))
    }.first
  }

  /// Whether notifications can be shown, according to the last report.
  package func desktop() throws(StoreError) -> DesktopState { try agentReport()?.desktop ?? .unknown }

  /// Stores a report of the agent.
  package func store(_ report: AgentReport) throws(StoreError) {
    let (desktop, detail, capabilities): (String, String, Set<String>) =
      switch report.desktop {
      case .unknown: ("unknown", "", [])
      case .available(let server, let capabilities): ("available", server, capabilities)
      case .unavailable(let reason): ("unavailable", reason, [])
      }
    try database.run(
      """
      INSERT INTO agent_report (id, pid, started_at, desktop, detail, updated_at, capabilities)
        VALUES (1, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET pid = excluded.pid, started_at = excluded.started_at,
        desktop = excluded.desktop, detail = excluded.detail, updated_at = excluded.updated_at,
        capabilities = excluded.capabilities
      """,
      .integer(Int64(report.process)), .integer(report.startedAt.microseconds), .text(desktop), .text(detail),
      .integer(report.updatedAt.microseconds), .text(capabilities.sorted().joined(separator: " ")))
  }
}
