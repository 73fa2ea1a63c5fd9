import NotifierDelivery
import SequenceNotifications
import SequenceRunner

final class AgentDelegate: DeliveryDelegate {
  private let notifications: RunNotifications
  private let suspendMonitor: SuspendMonitor
  private let dispatcher: EventDispatcher
  private let panel: Panel

  init(
    _ notifications: RunNotifications, _ suspendMonitor: SuspendMonitor, _ dispatcher: EventDispatcher,
    _ panel: Panel
  ) {
    self.notifications = notifications
    self.suspendMonitor = suspendMonitor
    self.dispatcher = dispatcher
    self.panel = panel
  }

  var descriptors: [Int32] {
    dispatcher.descriptors + panel.descriptors + (suspendMonitor.displayDescriptor.map { [$0] } ?? [])
  }

  var nextWake: Duration? {
    [suspendMonitor.nextWake, dispatcher.nextWake, panel.nextWake].compactMap { $0 }.min()
  }

  func beginTurn() throws -> Turn {
    let status = try suspendMonitor.update()
    return Turn(
      reading: status.reading, presenter: notifications.presenter(status),
      hasNothingToWaitFor: { [self] in try hasNothingToWaitFor(status) },
      finish: { [self] ready in try finish(ready, status) })
  }

  private func finish(_ ready: [Int32], _ status: RunStatus) throws {
    if let displays = suspendMonitor.displayDescriptor, ready.contains(displays) { suspendMonitor.followDisplays() }
    panel.show(status)
    try dispatcher.dispatch(ready, status)
    suspendMonitor.depart(isBusy: dispatcher.isRunningHooks, at: status.reading)
    // Its changes are of the next turn, which is due at once.
    try panel.performRequests(ready)
  }

  /// Whether nothing is left to wait for but notifications; within a transaction or outside of one.
  func hasNothingToWaitFor(_ status: RunStatus) throws -> Bool {
    try suspendMonitor.hasNothingToWaitFor(status) && dispatcher.hasNothingToWaitFor(status)
      && panel.hasNothingToWaitFor(status)
  }
}
