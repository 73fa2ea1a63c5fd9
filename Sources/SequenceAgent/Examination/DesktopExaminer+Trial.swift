package import NotificationLedger
import Notifier
package import Platform
import SequenceConfiguration
import SequenceRunner

extension DesktopExaminer {
  /// What is asked of the desktop for a trial belongs to no ledger.
  private static let entry: Int64 = 1
  /// How long it stays on screen, for whoever looks there.
  private static let seenTime = Duration.seconds(1)
  /// How long an answer to showing or to closing may take.
  private static let answerLimit = Duration.seconds(3)
  /// How long the server may take to tell that a notification went.
  private static let signalLimit = Duration.seconds(1)
  /// How long a server that hangs is waited for, to take away what it may show yet.
  private static let settlingLimit = Duration.seconds(60)

  /// A trial, and what is left of it to be settled.
  package struct TrialOutcome {
    package var trial = NotificationTrial()
    /// What is, or may yet come, on screen; `nil` if nothing.
    fileprivate var unsettled: Unsettled?
    package var isSettled: Bool { unsettled == nil }
  }

  /// What may be on screen after a trial.
  fileprivate enum Unsettled {
    /// The server was asked to show it and has not answered.
    case asked
    /// The server shows it.
    case shown(ShownNotification)
  }

  /// Shows a notification and takes it away again.
  package func tryShowing() throws(SystemError) -> TrialOutcome {
    var outcome = TrialOutcome()
    guard let server = try probe(&outcome.trial) else { return outcome }
    guard let shown = try show(on: server.epoch, &outcome) else { return outcome }
    outcome.unsettled = .shown(shown)
    let seen = min(end, clock.now().boot + DesktopExaminer.seenTime)
    while let event = try next(until: seen) {
      if case .closedByServer(shown, let reason) = event { outcome.trial.closedReason = reason.text }
    }
    try close(shown, &outcome)
    return outcome
  }

  private func probe(
    _ trial: inout NotificationTrial
  ) throws(SystemError) -> NotificationServer? {
    desktop.send(.probe)
    while let event = try next(until: end) {
      switch event {
      case .serverAvailable(let server): return server
      case .serverUnavailable(let failure):
        trial.failure = failure.text
        return nil
      default: continue
      }
    }
    trial.failure = "the session bus does not answer"
    return nil
  }

  private func show(
    on epoch: ServerEpoch, _ outcome: inout TrialOutcome
  ) throws(SystemError) -> ShownNotification? {
    let content = NotificationContent(
      summary: "Sequence works", body: "This is a test, which goes by itself.", actions: [], tag: nil,
      style: NotificationStyle(urgency: .low))
    let begin = clock.now().boot
    let wanted = ShownNotification(id: Courier.freshNumber(), epoch: epoch)
    desktop.send(.show(entry: DesktopExaminer.entry, content, as: wanted))
    while let event = try next(until: min(end, begin + DesktopExaminer.answerLimit)) {
      switch event {
      case .shown(_, let shown):
        outcome.trial.number = shown.id
        outcome.trial.shownAfter = (clock.now().boot - begin).seconds
        return shown
      case .notShown(_, let failure):
        outcome.trial.failure = failure.text
        if failure == .unknownOutcome { outcome.unsettled = .asked }
        return nil
      default: continue
      }
    }
    outcome.trial.failure =
      "the notification server did not answer when it was to show one; "
      + "what it shows late is taken away within \(DesktopExaminer.settlingLimit.components.seconds) s"
    outcome.unsettled = .asked
    return nil
  }

  private func close(
    _ shown: ShownNotification, _ outcome: inout TrialOutcome
  ) throws(SystemError) {
    var begin = clock.now().boot
    var hasRetried = false
    var deadline = min(end, begin + DesktopExaminer.answerLimit)
    desktop.send(.close(entry: DesktopExaminer.entry, shown))
    // The server answers, and tells that it is gone: in either order.
    while outcome.trial.closedAfter == nil || outcome.trial.closedReason == nil {
      guard let event = try next(until: deadline) else { break }
      switch event {
      case .closedByServer(shown, let reason): outcome.trial.closedReason = reason.text
      case .closed:
        let now = clock.now().boot
        outcome.trial.closedAfter = (now - begin).seconds
        outcome.unsettled = nil
        deadline = min(end, now + DesktopExaminer.signalLimit)
      case .notClosed(_, .refused) where !hasRetried:
        hasRetried = true
        begin = clock.now().boot
        desktop.send(.close(entry: DesktopExaminer.entry, shown))
      case .goneWithServer:
        outcome.trial.failure = "it could not be taken away: \(DesktopFailure.otherServer.text)"
        outcome.unsettled = nil
        return
      case .notClosed(_, let failure):
        outcome.trial.failure = "it could not be taken away: \(failure.text)"
        return
      default: continue
      }
    }
    guard outcome.trial.closedAfter == nil else { return }
    outcome.trial.failure = "it could not be taken away: the notification server does not answer"
  }

  /// Takes away what a server that hung shows once it goes on; waits for that no longer than for a while.
  ///
  /// Nobody waits for this: what was found is told before.
  package func settle(_ outcome: TrialOutcome) throws(SystemError) {
    guard var unsettled = outcome.unsettled else { return }
    let limit = clock.now().boot + DesktopExaminer.settlingLimit
    while let event = try next(until: limit) {
      switch (event, unsettled) {
      case (.shown(_, let shown), _):
        unsettled = .shown(shown)
        desktop.send(.close(entry: DesktopExaminer.entry, shown))
      case (.serverHeardOf, .shown(let shown)):
        desktop.send(.close(entry: DesktopExaminer.entry, shown))
      // Whether it shows it is heard of when it answers.
      case (.notShown(_, .unknownOutcome), _), (.notClosed(_, .notAnswering), _),
        (.notClosed(_, .unknownOutcome), _):
        continue
      case (.notShown, _), (.closed, _), (.goneWithServer, _), (.notClosed, _), (.busClosed, _): return
      case (.closedByServer(let gone, _), .shown(let shown)) where gone == shown: return
      default: continue
      }
    }
  }
}
