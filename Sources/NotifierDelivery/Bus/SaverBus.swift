import CSequenceGLib
import SequencePlatform

/// The screen savers of the session, which say whether they are active; for desktops without logind.
@safe final class SaverBus {
  /// The names of screen savers, and the paths of their objects.
  private static let savers = [
    ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
    ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
  ]

  private let connection: BusConnection
  private let events: MessageQueue<SleepEvent>
  private var subscriptions: [UInt32] = []

  /// Connects, and reports each change of a screen saver, and each new one.
  ///
  /// - Throws: `DesktopFailure`.
  init(events: MessageQueue<SleepEvent>) throws(DesktopFailure) {
    connection = try .session(mayUseLoginBus: true)
    self.events = events
    for (name, _) in SaverBus.savers {
      unsafe subscribe(name, name, "ActiveChanged", nil) { _, _, _, _, _, parameters, context in
        guard let parameters = unsafe parameters, let context = unsafe context,
          let isActive = unsafe Answer(g_variant_ref(parameters)).firstBoolean
        else { return }
        unsafe Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().events
          .put(.locked(isActive, isChange: true, failure: nil))
      }
      unsafe subscribe(BusConnection.busName, BusConnection.busName, "NameOwnerChanged", name) {
        _, _, _, _, _, parameters, context in
        guard let parameters = unsafe parameters, let context = unsafe context,
          unsafe Answer(g_variant_ref(parameters)).strings.last != ""
        else { return }
        unsafe Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().events.put(.otherSession)
      }
    }
  }

  private func subscribe(
    _ sender: String, _ interface: String, _ member: String, _ argument: String?,
    _ callback: GDBusSignalCallback
  ) {
    let receiver = unsafe Unmanaged.passRetained(Receiver(events)).toOpaque()
    subscriptions.append(
      unsafe g_dbus_connection_signal_subscribe(
        connection.pointer, sender, interface, member, nil, argument, G_DBUS_SIGNAL_FLAGS_NONE, callback,
        receiver, { unsafe $0.map { unsafe Unmanaged<Receiver>.fromOpaque($0).release() } }))
  }

  /// Reports whether a screen saver is active.
  ///
  /// - Throws: `DesktopFailure`, such as `.noServer` if there is no screen saver.
  func report() throws(DesktopFailure) {
    events.put(.locked(try isActive(), isChange: false, failure: nil))
  }

  private func isActive() throws(DesktopFailure) -> Bool {
    var failure = DesktopFailure.noServer
    for (name, path) in SaverBus.savers {
      do throws(DesktopFailure) {
        guard let isActive = try connection.call(name, path, name, "GetActive").firstBoolean else { continue }
        return isActive
      } catch .noServer {
        continue
      } catch let other {
        failure = other
      }
    }
    throw failure
  }

  deinit {
    for subscription in subscriptions {
      unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, subscription)
    }
  }

  /// What C code keeps of the subscription.
  private final class Receiver {
    let events: MessageQueue<SleepEvent>
    init(_ events: MessageQueue<SleepEvent>) { self.events = events }
  }
}
