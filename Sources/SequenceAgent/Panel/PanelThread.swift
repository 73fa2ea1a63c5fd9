import NotifierDelivery
import SequencePlatform

/// An order of the agent to its objects on the session bus.
enum PanelOrder: Sendable {
  /// Show the current run.
  case show(PanelState)
  /// A request is carried out, or had no effect for a reason; the call that waits for it, if one does, is answered.
  case finish(request: Int, refusal: String?)
}

/// A request of a user or a report from the session bus.
enum PanelEvent: Sendable {
  /// The request of a user, with its number and the time of its arrival on the boot clock.
  case requested(PanelRequest, number: Int, at: Duration)
  /// The run is shown.
  case connected
  /// The run can't be shown, for a reason in words.
  case failed(String)
}

/// What the desktop shows of the current run; nothing without one.
struct PanelState: Equatable, Sendable {
  var player: PlayerState?
  var icon: PanelIcon?

  static let nothing = PanelState()
}

/// The thread of the agent's objects on the session bus: a bus that hangs keeps only this thread waiting.
struct PanelThread {
  /// The orders; `nil` ends the thread.
  private let orders: MessageQueue<PanelOrder?>

  /// Starts the thread.
  ///
  /// - Parameter clock: the clock of the states to show.
  init(events: MessageQueue<PanelEvent>, clock: any ClockSource) throws(SystemError) {
    let orders = try MessageQueue<PanelOrder?>()
    self.orders = orders
    try startThread {
      let context = ThreadContext(wokenBy: orders.descriptor)
      let services = PanelServices(events, clock)
      withExtendedLifetime(context) {
        context.serve(orders) { services.carryOut($0) }
        services.end()
        context.drain()
      }
    }
  }

  func send(_ order: PanelOrder) { orders.put(order) }

  func end() { orders.put(nil) }
}

/// Carries orders out in the panel thread.
private final class PanelServices {
  private let events: MessageQueue<PanelEvent>
  private let clock: any ClockSource
  private var connection: BusConnection?
  private var player: MediaPlayer?
  private var icon: StatusItem?
  /// The numbers of the requests that wait for the agent, with the calls that wait for an answer.
  private var waiting: [Int: BusCall?] = [:]
  private var lastNumber = 0

  /// How many requests may wait for the agent; a person is slower.
  private static let mostWaiting = 8

  init(_ events: MessageQueue<PanelEvent>, _ clock: any ClockSource) {
    self.events = events
    self.clock = clock
  }

  func carryOut(_ order: PanelOrder) {
    switch order {
    case .show(.nothing): end()
    case .show(let state): show(state)
    case .finish(let number, let refusal):
      guard let call = waiting.removeValue(forKey: number) ?? nil else { return }
      if let refusal { call.refuse(refusal) } else { call.finish() }
    }
  }

  /// Passes a request on to the agent, unless too many wait for it.
  ///
  /// - Parameter call: the call to answer when the request is carried out; `nil` if none waits for that.
  /// - Returns: whether it is passed on.
  private func request(_ request: PanelRequest, answering call: BusCall? = nil) -> Bool {
    guard waiting.count < PanelServices.mostWaiting else { return false }
    lastNumber += 1
    waiting.updateValue(call, forKey: lastNumber)
    events.put(.requested(request, number: lastNumber, at: clock.now().boot))
    return true
  }

  /// Takes everything off the bus.
  func end() {
    // While there is a connection, the callers that still wait get an error.
    waiting = [:]
    player?.end()
    icon?.end()
    (player, icon, connection) = (nil, nil, nil)
  }

  private func show(_ state: PanelState) {
    // GNOME's panel keeps an icon as long as its connection, and not as its name.
    let isIconOver = icon != nil && state.icon == nil
    if let connection, connection.isClosed || isIconOver { end() }
    do throws(DesktopFailure) {
      let isNew = connection == nil
      let connection =
        if let old = self.connection { old } else { try BusConnection.session(mayUseLoginBus: true) }
      self.connection = connection
      if isNew { events.put(.connected) }
      // One of them is of use without the other.
      attempt { () throws(DesktopFailure) in try show(state.player, on: connection) }
      attempt { () throws(DesktopFailure) in try show(state.icon, on: connection) }
      if connection.isClosed { end() }
    } catch {
      fail(error)
    }
  }

  private func attempt(_ act: () throws(DesktopFailure) -> Void) {
    do throws(DesktopFailure) { try act() } catch { fail(error) }
  }

  private func fail(_ failure: DesktopFailure) {
    events.put(.failed(failure.text(of: "the session bus", on: "session bus")))
  }

  private func show(_ state: PlayerState?, on connection: BusConnection) throws(DesktopFailure) {
    guard let state else {
      player?.end()
      return player = nil
    }
    if let player { return player.show(state) }
    player = try MediaPlayer(state, on: connection, clock) { [unowned self] key, call in
      if !request(.key(key), answering: call) { call.refuseAsOneOfMany() }
    }
  }

  private func show(_ state: PanelIcon?, on connection: BusConnection) throws(DesktopFailure) {
    guard let state else {
      icon?.end()
      return icon = nil
    }
    if let icon { return icon.show(state) }
    icon = try StatusItem(state, on: connection) { [unowned self] in request($0) }
  }
}

extension BusCall {
  /// Answers a request that isn't carried out because too many wait.
  func refuseAsOneOfMany() { refuse("too many requests are waiting") }
}
