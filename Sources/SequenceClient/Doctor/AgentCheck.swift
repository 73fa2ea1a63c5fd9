import Glibc
import NotifierLedger
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceFiles
import SequenceRunner
import SequenceStore

/// Checks whether the agent runs, whether it needs to, and whether it starts at login.
struct AgentCheck {
  let doctor: Doctor
  let directory: StateDirectory

  /// - Parameter store: `nil` if there is no usable store.
  func finding(_ store: RunStore?) -> Finding {
    do {
      let ledger = store.flatMap { $0.base.isCurrent ? Ledger(database: $0.database) : nil }
      let process = try process(ledger)
      return Finding(
        .agent, process.state, "\(process.text) (\(try doctor.installation.login(of: directory).text))",
        advice: process.advice,
        details: process.details)
    } catch {
      return Finding(.agent, error)
    }
  }

  private func process(_ ledger: Ledger?) throws -> Finding {
    if try isRunning() {
      let report = try ledger?.agentReport()
      return running(try report?.isCurrent(in: directory) == true ? report : nil)
    }
    let message = try AgentLauncher.lastMessage(directory)
    let last = { (text: LocalizedText) -> LocalizedText in
      message.map {
        LocalizedText("\(text); its last message, of \(LocalTime.text(of: $0.written)): \($0.text)")
      } ?? text
    }
    let details = Details(isRunning: false, report: nil, lastMessage: message)
    guard let ledger else {
      return Finding(.agent, .ok, last(LocalizedText("not running")), details: details)
    }
    let mustPause = try ledger.database.hasRunAffectedBySuspend()
    let next = try ScheduleTable(ledger.database).schedules().map(\.due.wall).min()
    guard try mustPause || next != nil || ledger.hasMorePlanned() || !ledger.onlyWaits(at: doctor.clock.now())
    else {
      return Finding(
        .agent, .ok, last(LocalizedText("not running, starts when needed")), details: details)
    }
    let need: LocalizedText =
      mustPause
      ? LocalizedText("not running, but the current run must be paused on suspend")
      : next.map { LocalizedText("not running, but a sequence is due at \(LocalTime.text(of: $0))") }
        ?? LocalizedText("not running, but notifications are pending or visible")
    return Finding(
      .agent, .error, last(need),
      advice: "start it with sequence status",
      details: details)
  }

  private func running(_ report: AgentReport?) -> Finding {
    let details = Details(isRunning: true, report: report, lastMessage: nil)
    guard let report else { return Finding(.agent, .ok, "running", details: details) }
    let text: LocalizedText =
      "running since \(LocalTime.text(of: report.startedAt)), process \(report.process)"
    guard case .unavailable(let reason) = report.desktop else {
      return Finding(.agent, .ok, text, details: details)
    }
    return Finding(
      .agent, .warning, "\(text), but it cannot show notifications: \(reason.sentence)", details: details)
  }

  /// Returns whether the agent holds its lock, without creating the file of the lock.
  private func isRunning() throws(SystemError) -> Bool {
    guard unsafe access(directory.agentLockPath, F_OK) == 0 else { return false }
    return try FileLock(path: directory.agentLockPath).isHeldByAnother()
  }

  private struct Details: Encodable {
    let running: Bool
    let process: Int32?
    let startedAt: String?
    let lastMessage: String?
    let lastMessageAt: String?

    init(isRunning: Bool, report: AgentReport?, lastMessage: AgentMessage?) {
      running = isRunning
      process = report?.process
      startedAt = report?.startedAt.description
      self.lastMessage = lastMessage?.text
      lastMessageAt = lastMessage?.written.description
    }
  }
}
