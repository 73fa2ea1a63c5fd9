import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

struct DesktopCheck {
  let doctor: Doctor
  let isNotifying: Bool

  func findings() -> ([Finding], DesktopReport?) {
    let examination: DesktopReport
    do {
      examination = try AgentProgram.examination(for: doctor, showing: isNotifying ? .brief : nil)
    } catch {
      let unknown: LocalizedText = "not checked (no answer from sequence-agent)"
      return (
        [Finding(.program, error), Finding(.bus, .warning, unknown), Finding(.server, .warning, unknown)], nil
      )
    }
    var findings = [bus(examination), server(examination.server)]
    if isNotifying { findings.append(DesktopCheck.trial(examination.trial, on: examination.server)) }
    if doctor.configuration.hasPanelIcon { findings.append(DesktopCheck.panel(examination)) }
    return (findings, examination)
  }

  /// Returns why the notification isn't seen; `nil` if it was shown.
  static func show(_ doctor: Doctor) throws -> Problem? {
    let check = DesktopCheck(doctor: doctor, isNotifying: true)
    let examination = try AgentProgram.examination(for: doctor, showing: .sample)
    let failed = [
      check.bus(examination), check.server(examination.server),
      trial(examination.trial, on: examination.server),
    ].first { $0.state == .error }
    if let failed { return Problem("\(failed.check.title): \(failed.text)", remedy: failed.advice) }
    guard examination.server?.doNotDisturb == true else { return nil }
    return Problem(
      "do-not-disturb is on, so the notification may be hidden", remedy: "turn it off to see notifications")
  }

  private func bus(_ examination: DesktopReport) -> Finding {
    if let failure = examination.busFailure {
      return Finding(
        .bus, .error, "cannot connect: \(failure)",
        advice: "log in to a desktop session, or use dbus-run-session")
    }
    let address = examination.busAddress ?? doctor.environment.sessionBusAddress
    return Finding(.bus, .ok, "connected to \(address)")
  }

  private static func panel(_ examination: DesktopReport) -> Finding {
    switch examination.hasPanel {
    case true?: Finding(.panel, .ok, "shows the icon of a run")
    case false?:
      Finding(
        .panel, .warning, "none that shows icons, so there is none of a run",
        advice: """
          on GNOME, install the extension AppIndicator and KStatusNotifierItem Support; elsewhere, add a tray to the panel
          """)
    case nil: Finding(.panel, .warning, "not checked (no session bus)")
    }
  }

  private func server(_ server: DesktopReport.Server?) -> Finding {
    guard let server else {
      return Finding(.server, .warning, "not checked (no session bus)")
    }
    let restart: LocalizedText =
      server.process.map { LocalizedText("restart it: kill \($0)") } ?? LocalizedText("restart it")
    switch server.state {
    case .available: return DesktopCheck.available(server)
    case .startable:
      return Finding(
        .server, .warning, "none running; one starts when needed, in a graphical session",
        advice: isNotifying ? nil : "to try that, run sequence doctor --notify", details: server)
    case .missing:
      return Finding(
        .server, .error, "none running, and none can be started",
        advice: "install one, such as dunst or mako", details: server)
    case .silent:
      return Finding(
        .server, .error,
        server.process.map { LocalizedText("not responding (process \($0))") }
          ?? LocalizedText("not responding"), advice: restart, details: server)
    case .failing:
      return Finding(
        .server, .error,
        server.reason ?? server.process.map {
          LocalizedText("failing (process \($0))")
        }
          ?? LocalizedText("failing"), advice: restart, details: server)
    }
  }

  private static func available(_ server: DesktopReport.Server) -> Finding {
    let title = [server.name ?? "", server.version ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    var parts: [LocalizedText] = [title.isEmpty ? LocalizedText("running, without a name") : "\(title)"]
    if let vendor = server.vendor, !vendor.isEmpty { parts.append(LocalizedText("by \(vendor)")) }
    if let specification = server.specification, !specification.isEmpty {
      parts.append(LocalizedText("specification \(specification)"))
    }
    let capabilities = server.capabilities ?? []
    let lacks = [
      ("actions", LocalizedText("without buttons (use commands such as sequence pause)")),
      ("body", LocalizedText("without text below the title")),
    ].filter { !capabilities.contains($0.0) }.map(\.1)
    let isHiding = server.doNotDisturb == true
    let problems = lacks + (isHiding ? [LocalizedText("do-not-disturb is on")] : [])
    return Finding(
      .server, problems.isEmpty ? .ok : .warning, listed(parts + problems),
      advice: isHiding ? "turn it off to see notifications" : nil, details: server)
  }

  private static func trial(_ trial: TestNotification?, on server: DesktopReport.Server?) -> Finding {
    guard let trial else { return Finding(.test, .warning, "not shown (no notification server)") }
    var parts: [LocalizedText] = []
    if let time = trial.shownAfter {
      parts.append(LocalizedText("the server took \(milliseconds(time)) to show it"))
    }
    if let time = trial.closedAfter { parts.append(LocalizedText("\(milliseconds(time)) to remove it")) }
    if let failure = trial.failure {
      // The bus was asked to start the server, and could not.
      let isNotStarted = server?.state == .startable
      return Finding(
        .test, .error, listed(parts + [failure]),
        advice: isNotStarted
          ? LocalizedText(
            "log in to a graphical session, or install another notification server, such as dunst or mako")
          : LocalizedText("restart the notification server"),
        details: trial)
    }
    let confirmation = trial.closedReason.map { LocalizedText("the server confirmed that it closed (\($0))") }
    parts.append(confirmation ?? LocalizedText("but the server did not confirm that it closed"))
    return Finding(.test, confirmation == nil ? .warning : .ok, listed(parts), details: trial)
  }

  private static func milliseconds(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10_000).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
  }
}
