import NotificationLedger
import Platform
import SequenceFiles
import SequenceRunner

/// The session bus, the notification server, and a notification that is shown to try them.
struct DesktopCheck {
  let context: CommandContext
  let isNotifying: Bool

  /// What was found, and the examination, unless it could not be made.
  func findings() -> ([Finding], DesktopReport?) {
    let examination: DesktopReport
    do {
      examination = try AgentProbe(context: context).examination(notifying: isNotifying)
    } catch {
      let unknown = "not examined, since sequence-agent did not do it"
      return (
        [Finding(.program, error), Finding(.bus, .warning, unknown), Finding(.server, .warning, unknown)], nil
      )
    }
    var findings = [bus(examination), DesktopCheck.server(examination.server)]
    if isNotifying { findings.append(DesktopCheck.trial(examination.trial)) }
    return (findings, examination)
  }

  private func bus(_ examination: DesktopReport) -> Finding {
    if let failure = examination.busFailure {
      return Finding(
        .bus, .error, "it cannot be used: \(failure)",
        advice: "log in to a desktop anew, or run sequence by dbus-run-session")
    }
    let address = examination.busAddress ?? context.environment.sessionBusAddress
    return Finding(.bus, .ok, "it answers at \(address)")
  }

  private static func server(_ server: DesktopReport.Server?) -> Finding {
    guard let server else {
      return Finding(.server, .warning, "not looked for, since there is no session bus")
    }
    let process = server.process.map { " (process \($0))" } ?? ""
    switch server.state {
    case .available: return available(server)
    case .startable:
      return Finding(
        .server, .warning, "none is running; the session bus can start one when it is needed",
        advice: "sequence doctor --notify tries that", details: server)
    case .missing:
      return Finding(
        .server, .error, "none is running, and the session bus can start none",
        advice: "start that of the desktop, or install one, as dunst or mako", details: server)
    case .silent:
      return Finding(
        .server, .error, "it does not answer\(process)", advice: "end it and start it anew", details: server)
    case .failing:
      return Finding(
        .server, .error, server.reason ?? "it fails", advice: "end it and start it anew", details: server)
    }
  }

  private static func available(_ server: DesktopReport.Server) -> Finding {
    let title = [server.name ?? "", server.version ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    var parts = [title.isEmpty ? "one without a name" : title]
    if let vendor = server.vendor, !vendor.isEmpty { parts.append("by \(vendor)") }
    if let specification = server.specification, !specification.isEmpty {
      parts.append("specification \(specification)")
    }
    let capabilities = server.capabilities ?? []
    let lacks = [
      ("actions", "it has no buttons, so pause and the like need a command"),
      ("body", "it shows no text below the title"),
    ].filter { !capabilities.contains($0.0) }.map(\.1)
    return Finding(
      .server, lacks.isEmpty ? .ok : .warning, (parts + lacks).joined(separator: ", "), details: server)
  }

  private static func trial(_ trial: TestNotification?) -> Finding {
    guard let trial else { return Finding(.test, .warning, "not shown, since nobody could") }
    var parts: [String] = []
    if let time = trial.shownAfter {
      parts.append("shown after \(milliseconds(time))")
    }
    if let time = trial.closedAfter { parts.append("taken away after \(milliseconds(time))") }
    if let failure = trial.failure {
      return Finding(
        .test, .error, (parts + [failure]).joined(separator: ", "),
        advice: "end the notification server and start it anew", details: trial)
    }
    let told = trial.closedReason.map { "the server told that it went (\($0))" }
    parts.append(told ?? "but the server did not tell that it went")
    return Finding(.test, told == nil ? .warning : .ok, parts.joined(separator: ", "), details: trial)
  }

  private static func milliseconds(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10_000).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
  }
}
