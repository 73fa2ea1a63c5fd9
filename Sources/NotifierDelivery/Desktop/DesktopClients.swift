import NotifierLedger
import SequencePlatform
import Synchronization

/// The schedulers and notifiers of this process, which share its connection to the desktop.
///
/// Their ledgers count entries separately, so the desktop knows an order by the number of a ticket. Answers go to the
/// client that holds it, and everything else to all clients: each knows its own notifications on the screen.
final class DesktopClients: Sendable {
  /// The properties of a client that the desktop needs.
  struct Client: Sendable {
    let application: NotifyingApplication
    /// The end of each tag on the server, which tells apart the same sequence in two state directories.
    let tagSuffix: String
    let events: MessageQueue<DesktopEvent>
    /// The wait for the time of a prepared notification.
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

  /// Adds a client, which gets all events from now on; returns its number.
  func add(_ client: Client) -> Int {
    state.withLock { state in
      state.lastClient += 1
      state.clients[state.lastClient] = client
      return state.lastClient
    }
  }

  /// Removes a client; returns whether it was the last one.
  func remove(_ number: Int) -> Bool {
    state.withLock { state in
      state.clients[number] = nil
      state.tickets = state.tickets.filter { $0.value.client != number }
      return state.clients.isEmpty
    }
  }

  /// Returns a ticket for an order about an entry of a client.
  func ticket(for entry: Int64, of client: Int) -> Int64 {
    state.withLock { state in
      state.lastTicket += 1
      state.tickets[state.lastTicket] = (client, entry)
      return state.lastTicket
    }
  }

  /// The client of a ticket, and the entry that it is for; `nil` if the client has ended.
  func holder(of ticket: Int64) -> (client: Client, entry: Int64)? {
    state.withLock { state in
      guard let (number, entry) = state.tickets[ticket], let client = state.clients[number] else {
        return nil
      }
      return (client, entry)
    }
  }

  /// Reports an event.
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
  /// The same answer about another entry.
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
