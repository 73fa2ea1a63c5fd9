public import FoundationEssentials
package import SequencePlatform
import SequenceStore

/// A notification as the ledger knows it.
public struct LedgerEntry: Hashable, Sendable, Identifiable {
  /// Identifies the entry; one identifier of a notification has an entry for each time that it was shown.
  public let id: ID
  /// The text, the buttons and the trigger.
  public let request: NotificationRequest
  /// The reading at its due time, if no clock is set until then.
  package let due: ClockReading
  /// When the occurrence before was due, by the wall clock; `nil` if there is none, or it doesn't repeat.
  package let previous: Moment?
  /// The local time minus UTC for which it is meant, in seconds; `nil` if no calendar has found its time.
  package let offset: Int?
  /// The date for which a snoozed notification was meant; `nil` for its due time.
  package let snoozed: Moment?
  /// Whether it is one occurrence of a repeating notification, and the next one is planned.
  package let isOccurrence: Bool
  /// Its state.
  public let state: State
  /// The reason for its state; `nil` if the state needs none.
  public let reason: NotificationReason?
  package let updated: Moment
  package let delivered: Moment?
  /// The server and its id for the notification; before the answer, the id that was requested.
  package let shown: ShownNotification?
  /// How often the server refused the last request to show or to close it.
  package let refusals: Int
  /// The time on the boot clock until which it is left alone, because it was refused.
  package let notBefore: Duration
  /// The reason for its removal, if that was requested and is not done yet.
  package let withdrawal: NotificationReason?
  /// How certainly the notification that this one repeats was shown; `nil` if it repeats none.
  package let repetition: Repetition?
  /// The user's last response; `nil` without one.
  public let response: NotificationResponse.Choice?
  /// How many earlier notifications it stands for: those without an entry, and those whose entries it replaced.
  package let unlisted: Int

  /// The date for which it is meant, by the wall clock.
  ///
  /// It stays the same when the notification is shown again, by this program or a restarted one, and when it is snoozed.
  /// A clock or a time zone that is set may still move a pending one.
  public var occurrence: Date { meant.date }
  /// The local date and time of the occurrence, in the time zone in which it was planned, as its difference from UTC;
  /// `nil` for triggers without a calendar.
  ///
  /// It stays the same in another time zone, and in a snooze, as the occurrence does.
  public var localOccurrence: DateComponents? {
    guard let offset, let zone = TimeZone(secondsFromGMT: offset) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .timeZone], from: occurrence)
  }
  /// When it is due, or was, by the wall clock: its occurrence, or the end of a snooze.
  public var dueAt: Date { due.wall.date }
  /// When the state or the reason last changed, by the wall clock.
  public var updatedAt: Date { updated.date }
  /// When the server accepted it, by the wall clock; `nil` before.
  public var deliveredAt: Date? { delivered?.date }

  /// Whether it repeats an entry that is or may have been on screen, for example after the program was restarted.
  public var isShownAgain: Bool { repetition != nil }

  /// Its number in the store; 0 before that.
  package var number: Int64 { id.number }
  package var meant: Moment { snoozed ?? due.wall }
  package var isWithdrawn: Bool { withdrawal != nil }

  /// Whether it may be on screen; one that is prepared before its time isn't yet.
  package func isVisible(at reading: ClockReading) -> Bool {
    !isWithdrawn && (state == .delivered || state == .presenting && isDue(at: reading))
  }

  package func isDue(at reading: ClockReading) -> Bool {
    due.bootID == reading.bootID ? due.boot <= reading.boot : due.wall <= reading.wall
  }

  package func isToCome(at reading: ClockReading) -> Bool {
    switch state {
    case .pending: true
    case .presenting: !isWithdrawn && due.bootID == reading.bootID && due.boot > reading.boot
    case .delivered, .removed, .missed, .suppressed, .failed, .cancelled: false
    }
  }

  package enum Repetition: String, Sendable {
    /// The server confirmed it, so the user was notified with its sound.
    case shown
    case unconfirmed
  }

  /// Where a notification is in its life.
  @nonexhaustive
  public enum State: String, Sendable, CaseIterable {
    /// It will be shown at its time.
    case pending
    /// It is being shown; whether it is on screen is not known yet.
    case presenting
    /// The server has taken it.
    case delivered
    /// It was on screen, and is gone.
    case removed
    /// It could not be shown in time.
    case missed
    /// It was not shown, because the program suppressed it, or the user was looking at the run.
    case suppressed
    /// The server refused to show or to remove it.
    case failed
    /// It was cancelled before it was due.
    case cancelled
  }
}

extension LedgerEntry {
  /// Identifies an entry, also after it was deleted, or its store was.
  public struct ID: Hashable, Codable, Sendable {
    package let number: Int64
    /// When it was added; a number may be used again.
    package let added: Moment

    package init(_ number: Int64 = 0, added: Moment) { (self.number, self.added) = (number, added) }
  }

  /// Creates an entry like those that a store returns, for tests and previews.
  ///
  /// - Parameters:
  ///   - request: the request of the notification.
  ///   - state: its state.
  ///   - dueAt: when it is due, by the wall clock.
  ///   - reason: the reason for its state.
  ///   - updatedAt: when the state last changed; `nil` for its due time.
  ///   - deliveredAt: when the server accepted it.
  ///   - response: the user's response.
  ///   - timeZone: the time zone in which it was planned, for a trigger of the calendar.
  public init(
    _ request: NotificationRequest, _ state: State, dueAt: Date, reason: NotificationReason? = nil,
    updatedAt: Date? = nil, deliveredAt: Date? = nil, response: NotificationResponse.Choice? = nil,
    in timeZone: TimeZone? = nil
  ) {
    self.init(
      id: ID(added: Moment(dueAt)), request: request,
      due: ClockReading(wall: Moment(dueAt), boot: .zero, bootID: ""),
      previous: nil, offset: timeZone?.secondsFromGMT(for: dueAt), snoozed: nil, isOccurrence: false,
      state: state, reason: reason, updated: Moment(updatedAt ?? dueAt),
      delivered: deliveredAt.map { Moment($0) }, shown: nil, refusals: 0, notBefore: .zero,
      withdrawal: nil,
      repetition: nil, response: response, unlisted: 0)
  }
}

/// One date of a notification, with all entries that it has had and all answers of the user.
public struct NotificationOccurrence: Hashable, Sendable {
  /// The identifier of the notification; that of the original for snoozed copies.
  public let identifier: NotificationIdentifier
  /// The entries, by due time: it has one more each time that it is shown again or snoozed.
  public let entries: [LedgerEntry]
  /// The last of the entries, whose state is that of the occurrence.
  public let latest: LedgerEntry
  /// The user's responses to the entries, in order, as far as the store keeps them.
  public let responses: [NotificationResponse]

  /// The date for which it was meant, by the wall clock.
  public var date: Date { latest.occurrence }
  /// That date in the time zone in which it was planned; `nil` for triggers without a calendar.
  public var localDate: DateComponents? { latest.localOccurrence }
  /// The last choice of the user; `nil` without one.
  public var choice: NotificationResponse.Choice? {
    responses.last?.choice ?? entries.last { $0.response != nil }?.response
  }
  /// When the user made the last choice, by the wall clock; `nil` without one, or if the response is no longer stored.
  public var respondedAt: Date? { responses.last?.respondedAt }
}

extension NotificationOccurrence {
  /// Folds the entries of notifications by the dates for which they are meant.
  ///
  /// - Parameters:
  ///   - entries: the entries, by due time; the result is in the order of their first ones.
  ///   - responses: the responses to any entries, in order.
  static func all(
    in entries: [LedgerEntry], with responses: [NotificationResponse]
  ) -> [NotificationOccurrence] {
    struct Key: Hashable {
      let identifier: NotificationIdentifier
      let meant: Moment
    }
    let answers = Dictionary(grouping: responses, by: \.entry)
    let keys = entries.map { Key(identifier: $0.request.identifier.original, meant: $0.meant) }
    let groups = Dictionary(grouping: zip(keys, entries), by: \.0).mapValues { $0.map(\.1) }
    var listed: Set<Key> = []
    return keys.filter { listed.insert($0).inserted }.compactMap { key in
      guard let entries = groups[key], let latest = entries.last else { return nil }
      let ordered = entries.flatMap { answers[$0.id] ?? [] }.sorted { $0.position < $1.position }
      return NotificationOccurrence(
        identifier: key.identifier, entries: entries, latest: latest, responses: ordered)
    }
  }
}

/// The name of a notification on screen: the server's number for it, and which server that is.
package struct ShownNotification: Hashable, Sendable {
  package let id: UInt32
  package let epoch: ServerEpoch

  package init(id: UInt32, epoch: ServerEpoch) {
    self.id = id
    self.epoch = epoch
  }
}

/// One run of one notification server; the next one issues the same numbers again.
package struct ServerEpoch: Hashable, Sendable {
  /// The id of the bus, and the unique name on it that owned the name of notification servers.
  package let rawValue: String

  package init(busID: String, owner: String) {
    rawValue = "\(busID) \(owner)"
  }

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}
