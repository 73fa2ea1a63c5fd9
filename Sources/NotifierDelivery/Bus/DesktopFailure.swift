/// A failure of an order to the desktop.
package enum DesktopFailure: Error, Hashable, Sendable {
  /// There is no session bus, or it cannot be reached.
  case noBus(reason: String)
  /// No program on the bus shows notifications.
  case noServer
  /// The bus could start a server, but there is no screen that it could use.
  case noScreen
  /// The bus could not start a server, for a reason in words.
  case notStarted(reason: String)
  /// There is a server, but it does not answer.
  case notAnswering
  /// Another server has taken the place of the intended one.
  case otherServer
  /// The server answered with an error.
  case refused(name: String, message: String)
  /// It was cancelled before its time.
  case calledOff
  /// The call was sent, and no answer came: it may or may not have been carried out.
  case unknownOutcome
}
