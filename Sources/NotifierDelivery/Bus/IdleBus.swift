import CSequenceGLib
import SequencePlatform

/// A connection to the session bus that keeps one service of the desktop from suspending the machine, or from turning
/// its screen off.
///
/// An inhibitor ends with its connection at the latest. So it has a connection of its own, and an agent that is killed
/// leaves none behind. Sources: gnome-session, mate-session-manager and cinnamon-session (`gsm-manager.c`,
/// `remove_inhibitors_for_connection`), xfce4-power-manager (`xfpm-inhibit.c`, `xfpm_inhibit_connection_lost_cb`), and
/// PowerDevil (`powerdevilpolicyagent.cpp`, `onServiceUnregistered`).
@safe final class IdleBus {
  /// How long a service that has come is left in peace, in seconds: it takes its name before it can be asked.
  static let delay: UInt32 = 5
  /// "Suspending the session or computer", in the words of the session manager.
  ///
  /// Not `idling`: it would keep the screen lit and unlocked, and gnome-settings-daemon
  /// ignores it once the screen is locked (`gsd-power-manager.c`, `idle_configure`). For 4 gnome-session takes an
  /// inhibitor of logind in the user's name (`gsm-systemd.c`: of the mode `block`, later `block-weak`), which logind
  /// does not apply to that user (`logind-inhibit.c`, `manager_is_inhibited`).
  private static let suspending: UInt32 = 4
  /// "The session being marked as idle": the screen stays on and unlocked.
  private static let idling: UInt32 = 8

  private let service: IdleService
  private let connection: BusConnection
  private let arrival: ServiceArrival
  private var subscription: UInt32 = 0
  private var held: (owner: String, cookie: UInt32)?

  /// Connects, and listens to whether another service takes the name.
  init(_ service: IdleService, events: MessageQueue<SleepEvent>) throws(DesktopFailure) {
    self.service = service
    connection = try .session(mayUseLoginBus: true)
    arrival = ServiceArrival(service, events)
    unsafe subscription = g_dbus_connection_signal_subscribe(
      connection.pointer, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", nil,
      service.name,
      G_DBUS_SIGNAL_FLAGS_NONE, ownerChanged, unsafe Unmanaged.passRetained(arrival).toOpaque(),
      { unsafe $0.map { unsafe Unmanaged<ServiceArrival>.fromOpaque($0).release() } })
  }

  deinit {
    if let held {
      // The answer does not matter: the end of the connection has the same effect.
      unsafe g_dbus_connection_call(
        connection.pointer, held.owner, service.path, service.interface, service.release,
        BusValue.tuple([.number(held.cookie)]), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START,
        BusConnection.questionLimit, nil, nil, nil)
      _ = unsafe g_dbus_connection_flush_sync(connection.pointer, nil, nil)
    }
    unsafe g_dbus_connection_signal_unsubscribe(connection.pointer, subscription)
    arrival.forget()
  }

  /// Asks the service, if one is there; none is started for it.
  func hold(_ text: InhibitorText) throws(DesktopFailure) {
    guard let owner = try owner() else { return }
    // The unique name: a cookie of one service may be a stranger's in the next.
    let answer = try connection.call(owner, service.path, service.interface, "Inhibit", arguments(text))
    guard let cookie = answer.firstNumber else {
      throw .refused(name: service.name, message: "it returned no cookie")
    }
    held = (owner, cookie)
  }

  /// The unique name of the service; `nil` if none is there.
  func owner() throws(DesktopFailure) -> String? { try connection.owner(of: service.name) }

  private func arguments(_ text: InhibitorText) -> [BusValue] {
    let (who, why) = (BusValue.text(text.who), BusValue.text(text.why(.desktop(service))))
    return switch service {
    case .sessionManager: [who, .number(0), why, .number(IdleBus.suspending)]
    case .powerManagement, .screenSaver: [who, why]
    case .sessionScreen: [who, .number(0), why, .number(IdleBus.idling)]
    }
  }
}

/// Reports a new service after a delay; in the desktop's thread.
@safe private final class ServiceArrival {
  private let service: IdleService
  private let events: MessageQueue<SleepEvent>
  private var timer: UnsafeMutablePointer<GSource>?

  init(_ service: IdleService, _ events: MessageQueue<SleepEvent>) {
    self.service = service
    self.events = events
  }

  func begin() {
    forget()
    unsafe timer = g_timeout_source_new_seconds(IdleBus.delay)
    // The owner destroys the timer before this object.
    unsafe g_source_set_callback(
      timer,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<ServiceArrival>.fromOpaque(context).takeUnretainedValue().report()
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    _ = unsafe g_source_attach(timer, g_main_context_get_thread_default())
  }

  func forget() {
    guard let timer = unsafe timer else { return }
    unsafe g_source_destroy(timer)
    unsafe g_source_unref(timer)
    unsafe self.timer = nil
  }

  private func report() { events.put(.otherService(service)) }
}

private let ownerChanged: GDBusSignalCallback = { _, _, _, _, _, parameters, context in
  guard let parameters = unsafe parameters, let context = unsafe context else { return }
  let names = unsafe Answer(g_variant_ref(parameters)).strings
  guard names.count == 3, !names[2].isEmpty else { return }
  unsafe Unmanaged<ServiceArrival>.fromOpaque(context).takeUnretainedValue().begin()
}
