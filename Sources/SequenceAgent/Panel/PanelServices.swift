import NotifierDelivery
import SequencePlanning
import SequencePlatform
import SequenceRunner

/// The agent's objects on the session bus, in a thread of their own.
final class PanelServices {
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

  private init(_ events: MessageQueue<PanelEvent>, _ clock: any ClockSource) {
    self.events = events
    self.clock = clock
  }

  deinit { end() }

  static func start(
    _ events: MessageQueue<PanelEvent>, _ clock: any ClockSource
  ) throws(SystemError) -> BusWorker<PanelOrder> {
    let worker = try BusWorker<PanelOrder>()
    try worker.start { _ in
      let services = PanelServices(events, clock)
      return { services.carryOut($0) }
    }
    return worker
  }

  private func carryOut(_ order: PanelOrder) {
    switch order {
    case .show(.nothing): end()
    case .show(let state): show(state)
    case .finish(let number, let refusal):
      guard let call = waiting.removeValue(forKey: number) ?? nil else { return }
      if let refusal { call.refuse(refusal) } else { call.finish() }
    }
  }

  /// Passes a request on to the agent; returns `false` if too many wait for it.
  ///
  /// - Parameter call: the call to answer when the request is carried out; `nil` if none waits for that.
  private func request(_ request: PanelRequest, answering call: BusCall? = nil) -> Bool {
    guard waiting.count < PanelServices.mostWaiting else { return false }
    lastNumber += 1
    waiting.updateValue(call, forKey: lastNumber)
    events.put(.requested(request, number: lastNumber, at: clock.now().boot))
    return true
  }

  private func end() {
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

enum PanelOrder: Sendable {
  case show(PanelState)
  /// A request is carried out, or had no effect for a reason; the call that waits for it, if one does, is answered.
  case finish(request: Int, refusal: String?)
}

enum PanelEvent: Sendable {
  case requested(PanelRequest, number: Int, at: Duration)
  /// The run is shown.
  case connected
  case failed(String)
}

/// The current run as the panel and media players show it; empty without one.
struct PanelState: Equatable, Sendable {
  var player: PlayerState?
  var icon: PanelIcon?

  static let nothing = PanelState()
}

enum PanelRequest: Hashable, Sendable {
  case key(PanelKey)
  case button(RunButton, RunContext)
  /// Open the window, or the live display in a terminal.
  case open
  case askStop
}

/// A key of a media player, by its method in MPRIS.
enum PanelKey: String, Sendable {
  case play = "Play"
  case pause = "Pause"
  case playPause = "PlayPause"
  case stop = "Stop"
  case next = "Next"
  case previous = "Previous"

  var command: RunCommand {
    switch self {
    case .play: .resume()
    // A phone that stops all players must not end a run.
    case .pause, .stop: .pause
    case .playPause: .toggle
    case .next: .next
    case .previous: .back
    }
  }
}
