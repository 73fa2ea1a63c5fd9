/// The state of the desktop, found without starting anything.
package enum DesktopCondition: Hashable, Sendable {
  /// A server is there and answers; with whether do-not-disturb is on, if the server says that.
  case answering(NotificationServer, isDoNotDisturbOn: Bool?)
  /// A server is running and does not answer; with its process id if the bus knows it.
  case silent(process: UInt32?)
  /// No server is there; the bus can start one.
  case startable
  /// The bus or the server cannot be used.
  case failure(DesktopFailure)
}
