import FoundationEssentials
package import SequencePlatform
package import SequenceStore

extension Ledger {
  /// How many responses are kept; as many as notifications that have ended.
  private static let mostResponses: Int64 = 1000
  /// No program gets this far; a higher number is damage.
  private static let highestResponse: Int64 = 1 << 62
  private static let stream = "responses of "

  package func keep(_ response: NotificationResponse.Choice, of entry: LedgerEntry) throws(StoreError) {
    try database.run(
      "UPDATE notification SET response = ? WHERE number = ?", .text(response.stored), .integer(entry.number))
  }

  /// Records a response; the oldest one is deleted if there are too many.
  package func record(
    _ choice: NotificationResponse.Choice, to entry: LedgerEntry, activationToken: String?,
    at reading: ClockReading
  ) throws(StoreError) -> NotificationResponse {
    // A store that was made again, or has lost responses to damage, must not use the numbers before: the positions of
    // readers would hide new responses. The seconds since 1970 are more than a user can cause.
    let number = try max(lastResponse().number + 1, reading.wall.microseconds / 1_000_000)
    let response = NotificationResponse(
      to: entry, choice: choice, activationToken: activationToken, respondedAt: reading.wall.date,
      position: ResponsePosition(number: number))
    try store(response, at: reading, NotificationResponse.table.insert)
    try database.run(
      "DELETE FROM response WHERE number <= (SELECT number FROM response ORDER BY number DESC LIMIT 1 OFFSET ?)",
      .integer(Ledger.mostResponses))
    return response
  }

  /// Records a response of the program in place of the user, and has the notification removed as a click does.
  ///
  /// - Returns: `nil` if the entry is pending, cancelled, unknown, or has a response, unless it stays on screen with it.
  package func respond(
    _ choice: NotificationResponse.Choice, because reason: NotificationReason, to id: LedgerEntry.ID,
    at reading: ClockReading
  ) throws(StoreError) -> NotificationResponse? {
    guard let entry = try entry(id.number), entry.id == id else { return nil }
    let isResident = entry.isVisible(at: reading) && entry.request.style.isResident
    guard entry.response == nil || isResident else { return nil }
    switch entry.state {
    case .pending where entry.repetition == .shown: try cancel(entry, at: reading.wall, reason: reason)
    case .presenting where entry.isDue(at: reading), .delivered:
      if !isResident || choice == .dismissed { try withdraw(entry, at: reading.wall, reason: reason) }
    case .removed, .missed, .suppressed, .failed: break
    case .pending, .presenting, .cancelled: return nil
    }
    _ = try cancelRepetition(of: entry, at: reading.wall, reason: reason)
    try keep(choice, of: entry)
    return try record(choice, to: entry, activationToken: nil, at: reading)
  }

  /// Returns the responses after a position, in order.
  package func responses(after position: ResponsePosition) throws(StoreError) -> [NotificationResponse] {
    try database.rows(
      "SELECT \(NotificationResponse.table.columns) FROM response WHERE number > ? ORDER BY number",
      .integer(known(position).number),
      make: response)
  }

  /// Returns a position, or the beginning for one beyond the last response, which comes from another store.
  package func known(_ position: ResponsePosition) throws(StoreError) -> ResponsePosition {
    try position > lastResponse() ? .beginning : position
  }

  /// When the user responded, by all clocks; by the wall clock alone if the response is no longer stored.
  package func time(of response: NotificationResponse) throws(StoreError) -> ClockReading {
    let times = try database.rows(
      "SELECT \(NotificationResponse.table.columns) FROM response WHERE number = ? AND responded_at = ?",
      .integer(response.position.number), .integer(response.responded.microseconds),
      make: NotificationResponse.time)
    return times.first ?? ClockReading(wall: response.responded, boot: .zero, bootID: "")
  }

  private func response(_ row: SQLRow) throws(StoreError) -> NotificationResponse {
    let stored = row.text(NotificationResponse.Column.choice)
    guard let choice = NotificationResponse.Choice(stored: stored) else {
      throw .damaged(path: database.path, reason: "\(stored) is not a response to a notification")
    }
    return try NotificationResponse(row, to: request(row.text(NotificationResponse.Column.request)), choice)
  }

  package func position(ofReader name: String) throws(StoreError) -> ResponsePosition {
    ResponsePosition(number: try database.position(of: Ledger.stream + name)?.number ?? 0)
  }

  /// Records that a reader has handled the responses up to a position.
  package func advance(
    reader name: String, to position: ResponsePosition, at reading: ClockReading
  ) throws(StoreError) {
    try database.store(
      ReaderPosition(reader: Ledger.stream + name, number: position.number, at: reading))
  }

  /// Takes over the positions of the readers of a damaged store, as far as they can be read; after the responses.
  func salvageReaders(from damaged: Ledger) throws(StoreError) {
    // Beyond the last response that is left, a position would count as one of another store.
    let last = try lastResponse().number
    for position in try damaged.database.readablePositions(in: Ledger.stream) {
      try database.store(
        ReaderPosition(reader: position.reader, number: max(0, min(position.number, last)), at: position.at))
    }
  }

  func salvageResponses(from damaged: Ledger) throws(StoreError) {
    let responses = try damaged.database.readableRows(of: "response", NotificationResponse.table.columns) {
      row throws(StoreError) in (try damaged.response(row), NotificationResponse.time(row))
    }.filter { (1...Ledger.highestResponse).contains($0.0.position.number) }
    for (response, time) in responses {
      try store(response, at: time, NotificationResponse.table.insertIfNew)
    }
  }

  package func lastResponse() throws(StoreError) -> ResponsePosition {
    let numbers = try database.rows("SELECT max(number) FROM response") { $0.optionalInteger(0) ?? 0 }
    let number = numbers.first ?? 0
    guard (0...Ledger.highestResponse).contains(number) else {
      throw .damaged(path: database.path, reason: "\(number) is not the number of a response")
    }
    return ResponsePosition(number: number)
  }

  private func store(
    _ response: NotificationResponse, at time: ClockReading, _ statement: String
  ) throws(StoreError) {
    try database.run(statement, response.values(request: try text(response.request), at: time))
  }

  private func request(_ text: String) throws(StoreError) -> NotificationRequest {
    do {
      return try JSONDecoder().decode(NotificationRequest.self, from: Data(text.utf8))
    } catch {
      throw .damaged(path: database.path, reason: "a response has no request: \(error)")
    }
  }
}

extension NotificationResponse {
  fileprivate enum Column: Int, CodingKey, CaseIterable {
    case number, request, entry, entryAddedAt, occurrence, choice, activationToken, respondedAt,
      respondedBoot, bootID
  }

  fileprivate static let table = Table("response", Column.allCases.map(\.stringValue))

  fileprivate func values(request: String, at time: ClockReading) -> [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .number: .integer(position.number)
      case .request: .text(request)
      case .entry: .integer(entry.number)
      case .entryAddedAt: .integer(entry.added.microseconds)
      case .occurrence: .integer(meant.microseconds)
      case .choice: .text(choice.stored)
      case .activationToken: .text(activationToken)
      case .respondedAt: .integer(responded.microseconds)
      case .respondedBoot: .integer(time.boot.nanoseconds)
      case .bootID: .text(time.bootID)
      }
    }
  }

  fileprivate static func time(_ row: SQLRow) -> ClockReading {
    ClockReading(
      wall: Moment(microseconds: row.integer(Column.respondedAt)),
      boot: .nanoseconds(row.integer(Column.respondedBoot)), bootID: row.text(Column.bootID))
  }

  fileprivate init(_ row: SQLRow, to request: NotificationRequest, _ choice: Choice) {
    self.init(
      request: request,
      entry: LedgerEntry.ID(
        row.integer(Column.entry), added: Moment(microseconds: row.integer(Column.entryAddedAt))),
      meant: Moment(microseconds: row.integer(Column.occurrence)), choice: choice,
      activationToken: row.optionalText(Column.activationToken),
      responded: Moment(microseconds: row.integer(Column.respondedAt)),
      position: ResponsePosition(number: row.integer(Column.number)))
  }
}
