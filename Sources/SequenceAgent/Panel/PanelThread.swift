import NotifierBus
import SequencePlatform

/// An order of the agent to its objects on the session bus.
enum PanelOrder: Sendable {
  /// Show a run as a media player; `nil` to end the player.
  case player(PlayerState?)
  /// Answer a call, with the reason why it had no effect, if it had none.
  case answer(call: Int, refusal: String?)
}

/// A key press or a report from the session bus.
enum PanelEvent: Sendable {
  /// A user pressed a key, and a program waits for the answer.
  case pressed(PanelKey, call: Int)
  /// The player is shown.
  case connected
  /// The player can't be shown, for a reason in words.
  case failed(String)
}

/// The thread of the agent's objects on the session bus: a bus that hangs keeps only this thread waiting.
struct PanelThread {
  /// The orders; `nil` ends the thread.
  private let orders: MessageQueue<PanelOrder?>

  /// Starts the thread.
  init(events: MessageQueue<PanelEvent>) throws(SystemError) {
    let orders = try MessageQueue<PanelOrder?>()
    self.orders = orders
    try startThread {
      let context = ThreadContext(wokenBy: orders.descriptor)
      let services = PanelServices(events)
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
  private var connection: BusConnection?
  private var player: MediaPlayer?
  /// The calls that wait for the agent, by their numbers.
  private var calls: [Int: BusCall] = [:]
  private var lastCall = 0

  init(_ events: MessageQueue<PanelEvent>) { self.events = events }

  func carryOut(_ order: PanelOrder) {
    switch order {
    case .player(nil): end()
    case .player(let state?): show(state)
    case .answer(let number, let refusal):
      let call = calls.removeValue(forKey: number)
      if let refusal { call?.refuse(refusal) } else { call?.finish() }
    }
  }

  /// Takes everything off the bus.
  func end() {
    // While there is a connection, the callers that still wait get an error.
    calls = [:]
    player?.end()
    (player, connection) = (nil, nil)
  }

  private func show(_ state: PlayerState) {
    if let connection, connection.isClosed { end() }
    if let player { return player.show(state) }
    do throws(DesktopFailure) {
      let connected = try BusConnection.session(mayUseLoginBus: true)
      player = try MediaPlayer(state, on: connected) { [unowned self] key, call in
        lastCall += 1
        calls[lastCall] = call
        events.put(.pressed(key, call: lastCall))
      }
      connection = connected
      events.put(.connected)
    } catch {
      events.put(.failed(error.text(of: "the session bus", on: "session bus")))
    }
  }
}
