package import SequencePlatform

/// Carries out sleep orders in a thread of its own, which has nothing to do with notifications.
final class SleepServices {
  private let worker: BusWorker<SleepOrder>
  private let events: MessageQueue<SleepEvent>
  private let text: InhibitorText
  private var login: LoginBus?
  private var services: [IdleService: IdleBus] = [:]
  /// The screen savers, if logind doesn't know a session on a screen.
  private var saver: SaverBus?

  private init(_ worker: BusWorker<SleepOrder>, _ events: MessageQueue<SleepEvent>, _ text: InhibitorText) {
    self.worker = worker
    self.events = events
    self.text = text
  }

  static func connect(_ text: InhibitorText) throws(SystemError) -> SleepConnection {
    let worker = try BusWorker<SleepOrder>()
    let events = try MessageQueue<SleepEvent>()
    try worker.start { _ in
      let services = SleepServices(worker, events, text)
      return { services.carryOut($0) }
    }
    return SleepConnection(events: events, send: { worker.send($0) }, end: { worker.end() })
  }

  /// Carries an order out, within a few seconds.
  func carryOut(_ order: SleepOrder) {
    switch order {
    case .disconnect: (login, saver) = (nil, nil)
    case .watchLock:
      let failure = failureOfLock { login throws(DesktopFailure) in try login.watchLock() }
      if let failure { events.put(.locked(false, isChange: false, failure: failure.description)) }
    case .release(let service): services[service] = nil
    case .status:
      events.put(
        .examined(
          failure: failureOfLogin(),
          lockFailure: failureOfLock { login throws(DesktopFailure) in _ = try login.sessionOnScreen() },
          services: runningServices()))
    case .inhibit(.login(let hold)):
      do throws(DesktopFailure) {
        events.put(.held(.login(hold), try connectedLogin().hold(hold, text)))
      } catch {
        let isNotified = login?.isNotified == true
        events.put(.refused(.login(hold), reason: error.textOfLogin.description, isNotified: isNotified, nil))
      }
    case .inhibit(.desktop(let service)): ask(service)
    }
  }

  private func ask(_ service: IdleService) {
    let inhibitor = ServiceInhibitor(service, worker)
    do throws(DesktopFailure) {
      let bus = try IdleBus(service, events: events)
      // Kept in any case: it notices the next service, and a late answer still holds the inhibitor.
      services[service] = bus
      try bus.hold(text)
    } catch .noBus {
      // There is no desktop that could send the machine to sleep.
    } catch {
      let reason = error.text(of: service.name, on: "session bus")
      return events.put(.refused(.desktop(service), reason: reason, inhibitor))
    }
    events.put(.held(.desktop(service), inhibitor))
  }

  /// Asks logind about the session on the screen, or the screen savers if logind knows none.
  ///
  /// - Returns: why a lock of the screen can't be noticed; `nil` if it can.
  private func failureOfLock(_ ask: (LoginBus) throws(DesktopFailure) -> Void) -> LocalizedText? {
    saver = nil
    do throws(DesktopFailure) {
      try ask(try connectedLogin())
      return nil
    } catch let failure {
      do throws(DesktopFailure) {
        let saver = try SaverBus(events: events)
        // Kept in any case: it notices the next screen saver.
        self.saver = saver
        try saver.report()
        return nil
      } catch {
        return failure.textOfLogin
      }
    }
  }

  private func connectedLogin() throws(DesktopFailure) -> LoginBus {
    if let login, !login.isClosed { return login }
    login = nil
    let connected = try LoginBus(events: events)
    login = connected
    return connected
  }

  private func failureOfLogin() -> LocalizedText? {
    do throws(DesktopFailure) {
      try connectedLogin().requireOwner()
      return nil
    } catch {
      return error.textOfLogin
    }
  }

  private func runningServices() -> [IdleService] {
    IdleService.allCases.filter { service in
      do throws(DesktopFailure) {
        return try IdleBus(service, events: events).owner() != nil
      } catch {
        return false
      }
    }
  }
}

private final class ServiceInhibitor: SleepInhibitor {
  private let service: IdleService
  private let worker: BusWorker<SleepOrder>

  init(_ service: IdleService, _ worker: BusWorker<SleepOrder>) {
    self.service = service
    self.worker = worker
  }

  deinit { worker.send(.release(service)) }
}

extension DesktopFailure {
  /// Why logind can't be used.
  fileprivate var textOfLogin: LocalizedText {
    switch self {
    case .noServer: "no logind on the system bus"
    case .noBus(let reason): "no system bus: \(reason)"
    case .refused(let name, let message): "logind refused: \(message) (\(name))"
    default: "logind does not answer"
    }
  }

  package func text(of service: String, on bus: String) -> String {
    switch self {
    case .noBus(let reason): "no \(bus): \(reason)"
    case .noServer: "no \(service) on the \(bus)"
    case .refused(let name, let message): "\(service) refused: \(message) (\(name))"
    case .noScreen, .notStarted, .notAnswering, .otherServer, .calledOff, .unknownOutcome:
      "\(service) does not answer"
    }
  }
}

/// The screen savers of the session, which say whether they are active; for desktops without logind.
private final class SaverBus {
  private static let savers = [
    ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
    ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
  ]

  private let connection: BusConnection
  private let events: MessageQueue<SleepEvent>
  private var subscriptions: [BusSubscription] = []

  /// Reports each change of a screen saver, and each new screen saver.
  init(events: MessageQueue<SleepEvent>) throws(DesktopFailure) {
    connection = try .session(mayUseLoginBus: true)
    self.events = events
    for (name, _) in SaverBus.savers {
      subscriptions += [
        connection.subscribe(to: "ActiveChanged", of: name, from: name) { signal in
          if let isActive = signal.firstBoolean {
            events.put(.locked(isActive, isChange: true, failure: nil))
          }
        },
        connection.watchOwner(of: name) { owner in if owner != nil { events.put(.otherSession) } },
      ]
    }
  }

  /// - Throws: `DesktopFailure.noServer` if there is no screen saver.
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
}

/// An order to logind, or to the service that suspends an idle desktop.
package enum SleepOrder: Hashable, Sendable {
  /// Take an inhibitor; logind is listened to from the first one on.
  case inhibit(InhibitorRequest)
  case watchLock
  case release(IdleService)
  case status
  /// Listen to logind no more.
  case disconnect
}

package enum InhibitorRequest: Hashable, Sendable, CaseIterable {
  case login(LogindInhibitor)
  /// The desktop does not suspend an idle machine, for desktops that ignore logind's inhibitors.
  case desktop(IdleService)

  package static var allCases: [InhibitorRequest] {
    LogindInhibitor.allCases.map(InhibitorRequest.login) + IdleService.allCases.map(InhibitorRequest.desktop)
  }
}

/// A type of logind's inhibitors.
///
/// Source: "Inhibitor Locks", https://systemd.io/INHIBITOR_LOCKS.
package enum LogindInhibitor: Hashable, Sendable, CaseIterable {
  /// A suspend or a shutdown is delayed by a few seconds.
  case delay
  /// The machine does not take itself for unused; a user who sends it to sleep means it.
  case idleness

  var what: String {
    switch self {
    case .delay: "sleep:shutdown"
    case .idleness: "idle"
    }
  }

  var mode: String {
    switch self {
    case .delay: "delay"
    case .idleness: "block"
    }
  }
}

package struct InhibitorText: Sendable {
  let who: String
  let why: @Sendable (InhibitorRequest) -> String

  package init(_ who: String, why: @escaping @Sendable (InhibitorRequest) -> String) {
    (self.who, self.why) = (who, why)
  }
}

package enum SleepEvent: Sendable {
  case held(InhibitorRequest, any SleepInhibitor)
  /// It was refused, for a reason in words; with whether the signals of logind are received all the same, and an object that
  /// notices other services, if there is one.
  case refused(InhibitorRequest, reason: String, isNotified: Bool = false, (any SleepInhibitor)?)
  /// The reasons why logind cannot be used, and why a lock of the screen cannot be noticed, `nil` if it can; and the
  /// running services of the desktop.
  case examined(failure: LocalizedText?, lockFailure: LocalizedText?, services: [IdleService])
  case suspending(SuspendKind)
  /// The machine is back, or did not go after all.
  case back
  /// Whether the screen is locked: as a change or, if it is not one, as the first answer. With a reason in words if that
  /// can't be found out.
  case locked(Bool, isChange: Bool, failure: String?)
  /// Another session of the user may be the one on the screen, or there is another screen saver.
  case otherSession
  case otherLogind
  case otherService(IdleService)
}

package enum SuspendKind: Sendable {
  case sleep, shutdown
}

/// An inhibitor that was taken; it holds until it is released or the process ends.
package protocol SleepInhibitor: AnyObject, Sendable {}

package final class LoginInhibitor: SleepInhibitor {
  private let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

package struct SleepConnection: Sendable {
  package let events: MessageQueue<SleepEvent>
  /// Asks something, and returns at once.
  package let send: @Sendable (SleepOrder) -> Void
  /// Ends the connection after its orders.
  package let end: @Sendable () -> Void

  package init(
    events: MessageQueue<SleepEvent>, send: @escaping @Sendable (SleepOrder) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.events = events
    self.send = send
    self.end = end
  }
}
