package import Platform

/// Where a scheduler shows notifications: the desktop of the user, or one of a test.
public struct Desktop: Sendable {
  /// Connects an application to the desktop.
  package let connect: @Sendable (NotifyingApplication) throws -> any DesktopConnection
  /// The clock that stores must have to be shown there; `nil` for any clock.
  package let clock: ManualClock?

  /// A desktop that applications connect to.
  package init(
    clock: ManualClock? = nil,
    connect: @escaping @Sendable (NotifyingApplication) throws -> any DesktopConnection
  ) {
    self.clock = clock
    self.connect = connect
  }

  /// The desktop of the user's session, where libnotify shows notifications on the session bus.
  public static let session = Desktop { application in
    ignorePortal()
    return try DesktopThread(application)
  }
}

/// The connection of a delivery loop to a desktop.
package protocol DesktopConnection: Sendable {
  /// The descriptor to wait on: readable while there are events.
  var descriptor: Int32 { get }

  /// Removes and returns all events.
  func takeEvents() throws(SystemError) -> [DesktopEvent]

  /// Asks something of the desktop, and returns at once.
  func send(_ order: DesktopOrder)

  /// Notifies the connection that the loop is about to wait.
  ///
  /// - Parameter wake: the latest time on the boot clock at which the loop continues; `nil` for no limit.
  func rest(until wake: Duration?)

  /// Ends the connection after its orders, and waits for that without a limit.
  func end() throws(SystemError)
}
