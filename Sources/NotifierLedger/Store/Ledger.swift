import FoundationEssentials
package import SequencePlatform
package import SequenceStore

/// The notifications in the store: pending, visible, and the last thousand that have ended.
///
/// No method opens a transaction; callers combine these calls with their own changes in one.
package struct Ledger {
  package let database: Database

  package init(database: Database) {
    self.database = database
  }

  /// Replaces the pending notifications of a scope by those of a plan.
  ///
  /// Planning the same requests twice changes nothing: an entry that is pending already gets the new text and due time.
  ///
  /// - Complexity: O(pending entries of the scope + requests), without the entries that have ended.
  /// - Parameters:
  ///   - requests: the requests; in the scope, and with distinct identifiers.
  ///   - keepsDue: whether due entries stay pending, even if no request has their identifier.
  ///   - reason: the reason for the cancellation of other entries.
  package func plan(
    _ requests: [NotificationRequest], in scope: NotificationScope, keepingDue keepsDue: Bool,
    at reading: ClockReading, reason: NotificationReason
  ) throws(StoreError) {
    let requested = Set(requests.map(\.identifier.rawValue))
    if requested.isEmpty {
      try cancelPending(in: scope, keepingDue: keepsDue, at: reading, reason: reason)
    } else {
      for identifier in try pendingIdentifiers(in: scope).subtracting(requested) {
        try cancelPending(
          in: NotificationScope(prefix: identifier), keepingDue: keepsDue, at: reading, reason: reason)
      }
    }
    try add(requests, at: reading)
  }

  private func cancelPending(
    in scope: NotificationScope, keepingDue keepsDue: Bool, at reading: ClockReading,
    reason: NotificationReason
  ) throws(StoreError) {
    let bounds = scope.bounds
    try database.run(
      """
      UPDATE notification SET state = 'cancelled', reason = ?1, updated_at = ?2
      WHERE state = 'pending' AND (identifier = ?3 OR identifier >= ?4 AND identifier < ?5)
        AND NOT (?6 AND (boot_id = ?7 AND due_boot <= ?8 OR boot_id <> ?7 AND due_wall <= ?2))
      """,
      .text(reason.stored), .integer(reading.wall.microseconds), .text(scope.prefix), .text(bounds.first),
      .text(bounds.end), .integer(keepsDue ? 1 : 0), .text(reading.bootID),
      .integer(reading.boot.nanoseconds))
  }

  package func add(
    _ requests: [NotificationRequest], at reading: ClockReading, unlisted: Int = 0
  ) throws(StoreError) {
    var scheduled: [ScheduledRequest] = []
    for request in requests {
      guard let due = request.trigger.due(addedAt: reading) else {
        throw .unexpected(path: database.path, reason: "\(request.trigger.description) needs a calendar")
      }
      scheduled.append(ScheduledRequest(request, due: due))
    }
    try add(scheduled, at: reading, unlisted: unlisted)
  }

  /// Makes requests pending; an entry that is pending with the same identifier is updated.
  ///
  /// - Parameters:
  ///   - isOccurrence: whether each is an occurrence of a repeating notification whose next one is planned.
  ///   - reason: the reason to show it again; `nil` if it is new.
  ///   - repetition: how certainly the repeated notification was shown; `nil` if it is new.
  ///   - unlisted: how many earlier requests without an entry each stands for.
  package func add(
    _ requests: [ScheduledRequest], at reading: ClockReading, isOccurrence: Bool = false,
    reason: NotificationReason? = nil, repetition: LedgerEntry.Repetition? = nil, unlisted: Int = 0
  ) throws(StoreError) {
    var (actions, styles) = (KnownColumns<[NotificationAction]>(), KnownColumns<NotificationStyle>())
    let farthest = reading.boot + Ledger.farthestDue
    for scheduled in requests {
      let (request, due) = (scheduled.request, scheduled.due)
      let entry = LedgerEntry(
        id: LedgerEntry.ID(added: reading.wall), request: request,
        due: ClockReading(wall: due.wall, boot: min(due.boot, farthest), bootID: due.bootID),
        previous: scheduled.previous, offset: scheduled.offset, snoozed: scheduled.snoozed,
        isOccurrence: isOccurrence, state: .pending,
        reason: reason,
        updated: reading.wall, delivered: nil, shown: nil, refusals: 0, notBefore: .zero,
        withdrawal: nil, repetition: repetition, response: nil, unlisted: unlisted)
      try database.run(
        Ledger.upsert,
        entry.values(
          actions: actions.column(of: request.actions, column),
          style: styles.column(of: request.style, column),
          userInfo: column(request.userInfo)))
    }
  }

  /// Inserts an entry, or replaces the one that is pending or cancelled with the same identifier.
  ///
  /// The record of an earlier attempt to show it stays.
  private static let upsert: String = {
    // A set needs a type that Swift makes at run time.
    let kept: [LedgerEntry.Column] = [
      .number, .addedAt, .identifier, .isOccurrence, .withdrawal, .serverID, .epoch,
      .deliveredAt,
    ]
    let changes = LedgerEntry.Column.allCases.filter { !kept.contains($0) }.map {
      let name = LedgerEntry.table.names[$0.rawValue]
      return "\(name) = excluded.\(name)"
    }
    return LedgerEntry.table.insert
      + " ON CONFLICT (identifier, is_occurrence) WHERE state IN ('pending', 'cancelled') DO UPDATE SET "
      + changes.concatenated(by: ", ")
  }()

  /// How far ahead a notification may be due on the boot clock.
  ///
  /// SQLite counts nanoseconds in 64 bits, which are full after 292 years. A later one is due then by the wall clock
  /// only, and gets another time on the boot clock whenever the clocks are compared.
  static let farthestDue = Duration.seconds(100 * 365 * 86_400)

  func column(_ style: NotificationStyle) throws(StoreError) -> String? {
    style == NotificationStyle() ? nil : try text(style)
  }

  func column(_ actions: [NotificationAction]) -> String? {
    guard !actions.isEmpty else { return nil }
    return JSONWriter.text { json in
      json.array { json in
        for action in actions {
          json.object { json in
            json.member("key", action.key)
            json.member("title", action.title)
          }
        }
      }
    }
  }

  func column(_ userInfo: [String: String]) -> String? {
    guard !userInfo.isEmpty else { return nil }
    return JSONWriter.text { json in
      json.object { json in
        for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
      }
    }
  }

  func text(_ value: some Encodable) throws(StoreError) -> String {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw .unexpected(path: database.path, reason: "\(error)")
    }
  }

  /// Requests the removal of presenting and delivered entries of a scope.
  ///
  /// The agent removes them. After the commit, none of them is shown again.
  package func withdraw(
    _ scope: NotificationScope, at reading: ClockReading, reason: NotificationReason
  ) throws(StoreError) {
    let bounds = scope.bounds
    try database.run(
      """
      UPDATE notification SET withdrawal = ?1, updated_at = ?2
      WHERE state IN ('presenting', 'delivered') AND withdrawal IS NULL
        AND (identifier = ?3 OR identifier >= ?4 AND identifier < ?5)
      """,
      .text(reason.stored), .integer(reading.wall.microseconds), .text(scope.prefix), .text(bounds.first),
      .text(bounds.end))
  }

  /// Cancels the pending notifications of a scope, and requests the removal of the visible ones.
  ///
  /// - Returns: the number of each, and of their identifiers.
  package func clear(
    _ scope: NotificationScope, at reading: ClockReading, reason: NotificationReason
  ) throws(StoreError) -> (pending: Int, onScreen: Int, identifiers: Int) {
    let before = try counts(in: scope)
    try plan([], in: scope, keepingDue: false, at: reading, reason: reason)
    try withdraw(scope, at: reading, reason: reason)
    return before
  }

  package func entries(in scope: NotificationScope) throws(StoreError) -> [LedgerEntry] {
    let bounds = scope.bounds
    return try rows(
      "identifier = ? OR identifier >= ? AND identifier < ? ORDER BY due_wall, number",
      .text(scope.prefix), .text(bounds.first), .text(bounds.end))
  }

  package func occurrences(in scope: NotificationScope) throws(StoreError) -> [NotificationOccurrence] {
    try database.reading { () throws(StoreError) in
      NotificationOccurrence.all(in: try entries(in: scope), with: try responses(after: .beginning))
    }
  }

  package func pendingIdentifiers(in scope: NotificationScope) throws(StoreError) -> Set<String> {
    let bounds = scope.bounds
    return Set(
      try database.rows(
        """
        SELECT identifier FROM notification
        WHERE state = 'pending' AND (identifier = ? OR identifier >= ? AND identifier < ?)
        """, .text(scope.prefix), .text(bounds.first), .text(bounds.end)
      ) { $0.text(0) })
  }

  private func counts(
    in scope: NotificationScope
  ) throws(StoreError) -> (pending: Int, onScreen: Int, identifiers: Int) {
    let bounds = scope.bounds
    let counts = try database.rows(
      """
      SELECT
        (SELECT count(*) FROM notification
          WHERE state = 'pending' AND (identifier = ?1 OR identifier >= ?2 AND identifier < ?3)),
        (SELECT count(*) FROM notification
          WHERE state IN ('presenting', 'delivered') AND withdrawal IS NULL
            AND (identifier = ?1 OR identifier >= ?2 AND identifier < ?3)),
        (SELECT count(DISTINCT identifier) FROM notification
          WHERE (state = 'pending' OR state IN ('presenting', 'delivered') AND withdrawal IS NULL)
            AND (identifier = ?1 OR identifier >= ?2 AND identifier < ?3))
      """, .text(scope.prefix), .text(bounds.first), .text(bounds.end)
    ) { (pending: Int($0.integer(0)), onScreen: Int($0.integer(1)), identifiers: Int($0.integer(2))) }
    return counts.first ?? (0, 0, 0)
  }
}

/// The columns of values that were written before: the requests of a plan have the same few buttons and styles.
///
/// The first few are kept, without a dictionary: Swift would make its type at run time.
private struct KnownColumns<Value: Equatable> {
  private var known: [(value: Value, column: String?)] = []
  private static var most: Int { 8 }

  mutating func column(
    of value: Value, _ make: (Value) throws(StoreError) -> String?
  ) throws(StoreError) -> String? {
    if let found = known.first(where: { $0.value == value }) { return found.column }
    let column = try make(value)
    if known.count < KnownColumns.most { known.append((value, column)) }
    return column
  }
}

extension Ledger {
  func rows(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [LedgerEntry] {
    var reader = RowReader()
    return try database.rows(
      "SELECT \(LedgerEntry.table.columns) FROM notification WHERE \(condition)", values
    ) {
      row throws(StoreError) in
      try LedgerEntry(row, &reader, path: database.path)
    }
  }

  package func check() throws(StoreError) {
    _ = try rows("TRUE")
    _ = try responses(after: .beginning)
    _ = try database.positions(in: "")
    _ = try agentReport()
  }

  package func salvage(from damaged: Ledger) throws(StoreError) {
    var reader = RowReader()
    let entries = try damaged.database.readableRows(of: "notification", LedgerEntry.table.columns) {
      row throws(StoreError) in try LedgerEntry(row, &reader, path: database.path)
    }
    for entry in entries {
      try database.run(
        LedgerEntry.table.insertIfNew,
        entry.values(
          actions: column(entry.request.actions), style: try column(entry.request.style),
          userInfo: column(entry.request.userInfo)))
    }
    try salvageResponses(from: damaged)
    try salvageReaders(from: damaged)
    let reports = try damaged.database.readableRows(of: "agent_report", AgentReport.table.columns) {
      AgentReport($0)
    }
    if let report = reports.last { try store(report) }
  }
}
