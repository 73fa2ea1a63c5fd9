import FoundationEssentials
import NotifierDelivery
package import NotifierLedger
import SequenceConfiguration
import SequenceNotifications
package import SequencePlanning
package import SequencePlatform
import SequenceRunner

/// Examines the desktop within a time limit, even if the bus, the server or libnotify hangs.
package final class DesktopProbe {
  let desktop: DesktopThread
  private let sleep: SleepConnection
  let clock: any ClockSource
  /// When an answer has to be there, on the boot clock.
  let end: Duration
  private let timer: DeadlineTimer
  private var events: [DesktopEvent] = []

  /// Every question to the bus and the server has a shorter limit; only connecting has none.
  private static let busLimit = Duration.seconds(5)
  private static let loginLimit = Duration.seconds(2)
  private static let wholeLimit = Duration.seconds(9)

  package init(clock: any ClockSource) throws {
    self.clock = clock
    end = clock.now().boot + DesktopProbe.wholeLimit
    ignorePortal()
    desktop = try DesktopThread(Agent.application, clock, in: nil, mayUseLoginBus: true)
    sleep = try desktop.connectToSleep { SuspendMonitor.reason(for: $0) }
    timer = try clock.makeTimer()
  }

  /// Returns the state of the desktop, without starting anything.
  package func examine() throws(SystemError) -> DesktopReport {
    var examination = DesktopProbe.report(of: try probe())
    // The connecting thread has set it if it differs from the inherited one.
    examination.busAddress = EnvironmentVariables.process.sessionBusAddress
    let (failure, lockFailure, services) = try examineSleep()
    examination.login = DesktopReport.Login(failure: failure, lockFailure: lockFailure)
    examination.idleServices = services.filter(IdleService.system.contains).map(\.name)
    examination.screenServices = services.filter(IdleService.screen.contains).map(\.name)
    if examination.busFailure == nil { examination.hasPanel = hasPanel() }
    return examination
  }

  /// Whether a panel shows icons; `nil` if the bus, which has answered before, doesn't say.
  private func hasPanel() -> Bool? {
    do throws(DesktopFailure) {
      return try StatusItem.isShown(on: .session(mayUseLoginBus: true))
    } catch {
      return nil
    }
  }

  private func probe() throws(SystemError) -> DesktopCondition {
    desktop.send(.status)
    let deadline = clock.now().boot + DesktopProbe.busLimit
    while let event = try next(until: deadline) {
      if case .examined(let finding) = event { return finding }
    }
    return .failure(.notAnswering)
  }

  private static func report(of condition: DesktopCondition) -> DesktopReport {
    typealias Server = DesktopReport.Server
    var report = DesktopReport()
    switch condition {
    case .answering(let found, let isDoNotDisturbOn):
      var server = Server(.available)
      server.name = found.name
      server.vendor = found.vendor
      server.version = found.version
      server.specification = found.specification
      server.capabilities = found.capabilities.sorted()
      server.doNotDisturb = isDoNotDisturbOn
      report.server = server
    case .silent(let process):
      var server = Server(.silent)
      server.process = process
      report.server = server
    case .startable: report.server = Server(.startable)
    case .failure(.noBus(let reason)): report.busFailure = LocalizedText(verbatim: reason)
    // The server was not asked yet when this is a failure: it was the bus.
    case .failure(.notAnswering): report.busFailure = LocalizedText("it does not answer")
    case .failure(.noServer): report.server = Server(.missing)
    case .failure(let failure):
      var server = Server(.failing)
      server.reason = failure.reason.sentence
      report.server = server
    }
    return report
  }

  /// Returns the reasons why logind cannot be used and why a lock cannot be noticed, `nil` if it can, and the other
  /// services that can inhibit sleep.
  private func examineSleep() throws(SystemError) -> (
    failure: LocalizedText?, lockFailure: LocalizedText?, services: [IdleService]
  ) {
    sleep.send(.status)
    try timer.arm(min(end, clock.now().boot + DesktopProbe.loginLimit))
    while true {
      let ready = try waitUntilReadable([sleep.events.descriptor, timer.descriptor])
      for event in try sleep.events.takeAll() {
        if case .examined(let failure, let lockFailure, let services) = event {
          return (failure, lockFailure, services)
        }
      }
      if ready.contains(timer.descriptor) { return ("logind does not answer", "logind does not answer", []) }
    }
  }

  /// Returns the next event of the desktop; `nil` if there is none before a time on the boot clock.
  func next(until deadline: Duration) throws(SystemError) -> DesktopEvent? {
    try timer.arm(deadline)
    while events.isEmpty {
      let ready = try waitUntilReadable([desktop.events.descriptor, timer.descriptor])
      events = try desktop.events.takeAll()
      if events.isEmpty, ready.contains(timer.descriptor) { return nil }
    }
    return events.removeFirst()
  }
}

extension DesktopProbe {
  /// The entry number of the test, which is in no ledger.
  private static let entry: Int64 = 1
  private static let answerLimit = Duration.seconds(3)
  /// How long the server may take to report the end of a notification.
  private static let signalLimit = Duration.seconds(1)

  /// - Parameter time: how long the notification stays on the screen, so that it can be seen.
  package func tryShowing(
    _ style: NotificationStyle, for time: Duration
  ) throws(SystemError) -> TestNotification {
    var trial = TestNotification()
    guard let server = try probe(&trial) else { return trial }
    guard let shown = try show(style, on: server.epoch, &trial) else { return trial }
    let seen = min(end, clock.now().boot + time)
    while let event = try next(until: seen) {
      if case .closedByServer(shown, let reason) = event { trial.closedReason = reason.reason.sentence }
    }
    try close(shown, &trial)
    return trial
  }

  private func probe(
    _ trial: inout TestNotification
  ) throws(SystemError) -> NotificationServer? {
    desktop.send(.startServer)
    while let event = try next(until: end) {
      switch event {
      case .serverAvailable(let server): return server
      case .serverUnavailable(let failure):
        trial.failure = failure.reason.sentence
        return nil
      default: continue
      }
    }
    trial.failure = LocalizedText("the session bus does not answer")
    return nil
  }

  private func show(
    _ style: NotificationStyle, on epoch: ServerEpoch, _ trial: inout TestNotification
  ) throws(SystemError) -> ShownNotification? {
    let content = NotificationContent(
      summary: "Sequence works", body: "This test notification closes by itself.", actions: [], tag: nil,
      style: style)
    let begin = clock.now().boot
    let wanted = ShownNotification(id: Courier.freshNumber(), epoch: epoch)
    desktop.send(.show(entry: DesktopProbe.entry, content, as: wanted))
    while let event = try next(until: min(end, begin + DesktopProbe.answerLimit)) {
      switch event {
      case .shown(_, let shown):
        trial.number = shown.id
        trial.shownAfter = (clock.now().boot - begin).seconds
        return shown
      case .notShown(_, let failure):
        trial.failure = failure.reason.sentence
        return nil
      default: continue
      }
    }
    trial.failure =
      LocalizedText("the notification server did not answer when it was to show one")
    return nil
  }

  private func close(
    _ shown: ShownNotification, _ trial: inout TestNotification
  ) throws(SystemError) {
    var begin = clock.now().boot
    var hasRetried = false
    var deadline = min(end, begin + DesktopProbe.answerLimit)
    desktop.send(.close(entry: DesktopProbe.entry, shown))
    // The server answers and reports the end, in either order.
    while trial.closedAfter == nil || trial.closedReason == nil {
      guard let event = try next(until: deadline) else { break }
      switch event {
      case .closedByServer(shown, let reason): trial.closedReason = reason.reason.sentence
      case .closed:
        let now = clock.now().boot
        trial.closedAfter = (now - begin).seconds
        deadline = min(end, now + DesktopProbe.signalLimit)
      case .notClosed(_, .refused) where !hasRetried:
        hasRetried = true
        begin = clock.now().boot
        desktop.send(.close(entry: DesktopProbe.entry, shown))
      case .goneWithServer:
        trial.failure = NotificationReason.notRemoved(because: DesktopFailure.otherServer.reason).sentence
        return
      case .notClosed(_, let failure):
        trial.failure = NotificationReason.notRemoved(because: failure.reason).sentence
        return
      default: continue
      }
    }
    guard trial.closedAfter == nil else { return }
    trial.failure = NotificationReason.notRemoved(because: DesktopFailure.notAnswering.reason).sentence
  }
}
