package import SequencePlatform
package import SequenceStore

package struct AgentReport: Equatable, Sendable {
  package let process: Int32
  package let startedAt: Moment
  package let desktop: DesktopState
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
  /// It has not been found out yet: no server has answered, or none is running before a notification is due.
  case unknown
  /// A server of this name and version answers, with the capabilities that the specification names, such as `actions`.
  case available(server: String, capabilities: Set<String> = [])
  /// None can be used.
  case unavailable(reason: NotificationReason)
}

extension AgentReport {
  /// Whether the report is from the agent that is running, and not from an agent before it.
  ///
  /// - Parameter directory: the directory whose agent holds its lock.
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

extension Ledger {
  package func agentReport() throws(StoreError) -> AgentReport? {
    try database.rows("SELECT \(AgentReport.table.columns) FROM agent_report") { AgentReport($0) }.first
  }

  package func desktop() throws(StoreError) -> DesktopState { try agentReport()?.desktop ?? .unknown }

  package func store(_ report: AgentReport) throws(StoreError) {
    try database.run(AgentReport.table.replace, report.values)
  }
}

extension AgentReport {
  private enum Column: Int, CodingKey, CaseIterable {
    case id, pid, startedAt, desktop, detail, capabilities, updatedAt
  }

  static let table = Table("agent_report", Column.allCases.map(\.stringValue))

  fileprivate var values: [SQLValue] {
    let (state, detail, capabilities): (String, String, Set<String>) =
      switch desktop {
      case .unknown: ("unknown", "", [])
      case .available(let server, let capabilities): ("available", server, capabilities)
      case .unavailable(let reason): ("unavailable", reason.stored, [])
      }
    return Column.allCases.map { column in
      switch column {
      case .id: .integer(1)
      case .pid: .integer(Int64(process))
      case .startedAt: .integer(startedAt.microseconds)
      case .desktop: .text(state)
      case .detail: .text(detail)
      case .capabilities: .text(capabilities.sorted().joined(separator: " "))
      case .updatedAt: .integer(updatedAt.microseconds)
      }
    }
  }

  init(_ row: SQLRow) {
    let detail = row.text(Column.detail)
    // The next report takes the place of one that makes no sense.
    let desktop: DesktopState =
      switch row.text(Column.desktop) {
      case "available":
        .available(
          server: detail,
          capabilities: Set(row.text(Column.capabilities).split(separator: " ").map(String.init)))
      case "unavailable": .unavailable(reason: NotificationReason(stored: detail))
      default: .unknown
      }
    self.init(
      process: Int32(truncatingIfNeeded: row.integer(Column.pid)),
      startedAt: Moment(microseconds: row.integer(Column.startedAt)), desktop: desktop,
      updatedAt: Moment(microseconds: row.integer(Column.updatedAt)))
  }
}
