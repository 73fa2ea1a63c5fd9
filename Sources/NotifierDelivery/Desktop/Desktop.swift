// One import of a library that exports this module is enough.
@_exported public import NotifierLedger
@_exported public import SequencePlatform
@_exported public import SequenceStore

/// Where a scheduler shows notifications: the desktop of the user, or one of a test.
public struct Desktop: Sendable {
  package let connect: Connect
  /// The clock that stores must have to be shown there; `nil` for any clock.
  package let clock: ManualClock?
  package typealias Connect =
    @Sendable (NotifyingApplication, any ClockSource, StateDirectory) throws -> any DesktopConnection
  private let readDoNotDisturb: @Sendable () -> Bool?

  /// - Parameter readDoNotDisturb: returns whether do-not-disturb is on, and may block.
  package init(
    clock: ManualClock? = nil, readDoNotDisturb: @escaping @Sendable () -> Bool?,
    connect: @escaping Connect
  ) {
    self.clock = clock
    self.readDoNotDisturb = readDoNotDisturb
    self.connect = connect
  }

  /// The desktop of the user's session, where libnotify shows notifications on the session bus.
  public static let session = Desktop(readDoNotDisturb: DoNotDisturb.isOn) { application, clock, directory in
    ignorePortal()
    return try DesktopThread(application, clock, in: directory)
  }

  /// Returns whether do-not-disturb is on, which hides notifications.
  ///
  /// It asks at each call. The answer is known for GNOME Shell, Plasma, dunst, mako (the mode `do-not-disturb`) and
  /// xfce4-notifyd. GLib then doesn't end the process with the session bus.
  ///
  /// - Returns: `nil` if no server runs, or it has no answer. Each question has a limit of one second.
  /// - Throws: `SystemError` if no thread can be started.
  public func isDoNotDisturbOn() async throws -> Bool? {
    try await inThread { [readDoNotDisturb] in readDoNotDisturb() }
  }
}

/// The connection of a delivery loop to a desktop.
package protocol DesktopConnection: Sendable {
  /// The descriptor to wait on: readable while there are events.
  var descriptor: Int32 { get }

  func takeEvents() throws(SystemError) -> [DesktopEvent]

  /// Asks something of the desktop, and returns at once.
  func send(_ order: DesktopOrder)

  /// Notifies the connection that the loop is about to wait.
  ///
  /// - Parameter wake: the latest time on the boot clock at which the loop continues; `nil` for no limit.
  func rest(until wake: Duration?)

  /// How long due notifications may take when the delivery ends.
  var endingLimit: Duration { get }

  /// Connects to logind and to the services of the same desktop that suspend an idle machine.
  ///
  /// - Parameter why: the reason for an inhibitor, for the user who asks the system.
  func connectToSleep(
    why: @escaping @Sendable (InhibitorRequest) -> String
  ) throws(SystemError) -> SleepConnection

  /// Ends the connection after its orders, and waits for that without a limit.
  func end() throws(SystemError)
}

/// What notifications say of the application that shows them.
public struct NotifyingApplication: Hashable, Sendable {
  /// The name that servers show.
  public let name: String
  /// The name of its desktop file, without the ending; servers find its settings by it.
  public let desktopEntry: String
  /// The name of an icon of the icon theme, or the path of one.
  public let icon: String

  /// An application with all its properties.
  public init(name: String, desktopEntry: String, icon: String) {
    self.name = name
    self.desktopEntry = desktopEntry
    self.icon = icon
  }
}
