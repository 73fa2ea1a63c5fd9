/// The state of the desktop, found without starting anything.
package enum DesktopFinding: Hashable, Sendable {
  /// A server is there and answers.
  case answering(NotificationServer)
  /// A server is running and does not answer; with its process id if the bus knows it.
  case silent(process: UInt32?)
  /// No server is there; the bus can start one.
  case startable
  /// The bus or the server cannot be used.
  case failure(DesktopFailure)
}
