import NotifierLedger
import SequencePlatform
import Synchronization

/// The schedulers and notifiers of this process, which share its connection to the desktop.
///
/// Their ledgers count entries separately, so the desktop knows an order by the number of a ticket. Answers go to the
/// client that holds it, and everything else to all clients: each knows its own notifications on the screen.
final class DesktopClients: Sendable {
  struct Client: Sendable {
    let application: NotifyingApplication
    /// The end of each tag on the server, which tells apart the same sequence in two state directories.
    let tagSuffix: String
    let events: MessageQueue<DesktopEvent>
    let showTime: ShowTime
  }

  private struct State {
    var clients: [Int: Client] = [:]
    var lastClient = 0
    /// The orders that are not answered for good, by their tickets.
    var tickets: [Int64: (client: Int, entry: Int64)] = [:]
    var lastTicket: Int64 = 0
  }

  private let state = Mutex(State())

  func add(_ client: Client) -> Int {
    state.withLock { state in
      state.lastClient += 1
      state.clients[state.lastClient] = client
      return state.lastClient
    }
  }

  func remove(_ number: Int) -> Bool {
    state.withLock { state in
      state.clients[number] = nil
      state.tickets = state.tickets.filter { $0.value.client != number }
      return state.clients.isEmpty
    }
  }

  func ticket(for entry: Int64, of client: Int) -> Int64 {
    state.withLock { state in
      state.lastTicket += 1
      state.tickets[state.lastTicket] = (client, entry)
      return state.lastTicket
    }
  }

  func holder(of ticket: Int64) -> (client: Client, entry: Int64)? {
    state.withLock { state in
      guard let (number, entry) = state.tickets[ticket], let client = state.clients[number] else {
        return nil
      }
      return (client, entry)
    }
  }

  func put(_ event: DesktopEvent) {
    state.withLock { state in
      guard let ticket = event.answeredEntry else {
        for client in state.clients.values { client.events.put(event) }
        return
      }
      guard let (number, entry) = state.tickets[ticket] else { return }
      // Only then another answer may still come.
      if case .notShown(_, .unknownOutcome) = event {} else { state.tickets[ticket] = nil }
      state.clients[number]?.events.put(event.answering(entry))
    }
  }
}

extension DesktopEvent {
  fileprivate func answering(_ entry: Int64) -> DesktopEvent {
    switch self {
    case .shown(_, let shown): .shown(entry: entry, shown)
    case .notShown(_, let failure): .notShown(entry: entry, failure)
    case .closed: .closed(entry: entry)
    case .goneWithServer: .goneWithServer(entry: entry)
    case .notClosed(_, let failure): .notClosed(entry: entry, failure)
    case .serverAvailable, .serverStartable, .serverUnavailable, .examined, .serverChanged, .serverGone,
      .sessionChanged, .busClosed, .closedByServer, .actionInvoked:
      self
    }
  }
}

/// The waiting for the time of a notification that is ready, unless it is called off before.
final class ShowTime: Sendable {
  private let timer: DeadlineTimer
  private let calledOff: MessageQueue<Int64>
  private let clock: any ClockSource

  init(of clock: any ClockSource) throws(SystemError) {
    timer = try clock.makeTimer()
    calledOff = try MessageQueue()
    self.clock = clock
  }

  func callOff(_ entry: Int64) { calledOff.put(entry) }

  /// Waits until a time on the boot clock, if that is still to come; one thread at a time.
  ///
  /// - Parameter latest: when it is too late, if the time has passed before the waiting begins.
  /// - Throws: `DesktopFailure.calledOff` if the entry was called off before, or it is far too late.
  func wait(until due: Duration, atMostUntil latest: Duration?, for entry: Int64) throws(DesktopFailure) {
    let isWanted: Bool
    do throws(SystemError) {
      let now = clock.now().boot
      if due > now {
        isWanted = try comes(due, before: entry)
      } else {
        isWanted = try !calledOff.takeAll().contains(entry) && latest.map { now <= $0 } ?? true
      }
    } catch {
      throw .refused(name: "system", message: "\(error)")
    }
    guard isWanted else { throw .calledOff }
  }

  /// Whether a time comes before an entry is called off, and is noticed when it comes.
  private func comes(_ due: Duration, before entry: Int64) throws(SystemError) -> Bool {
    while true {
      try timer.arm(due)
      _ = try waitUntilReadable([timer.descriptor, calledOff.descriptor])
      if try calledOff.takeAll().contains(entry) { return false }
      let late = clock.now().boot - due
      if late >= .zero { return late <= Lateness.preparedNotification }
    }
  }
}
