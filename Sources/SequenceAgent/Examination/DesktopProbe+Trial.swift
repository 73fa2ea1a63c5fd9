package import SequencePlanning
import NotifierDelivery
package import NotifierLedger
package import SequencePlatform
import SequenceConfiguration
import SequenceRunner

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
