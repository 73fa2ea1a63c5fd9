import FoundationEssentials
package import SequencePlatform
package import SequenceStore

/// The user's responses, numbered in their order.
extension Ledger {
  /// How many responses are kept; as many as notifications that have ended.
  private static let mostResponses: Int64 = 1000
  /// No program gets this far; a higher number is damage.
  private static let highestResponse: Int64 = 1 << 62

  /// Keeps the user's response with its entry.
  package func keep(_ response: NotificationResponse.Choice, of entry: LedgerEntry) throws(StoreError) {
    try database.run(
      "UPDATE notification SET response = ? WHERE number = ?", .text(response.stored), .integer(entry.number))
  }

  /// Records a response; the oldest one is deleted if there are too many.
  package func record(
    _ choice: NotificationResponse.Choice, to entry: LedgerEntry, activationToken: String?,
    at moment: Moment
  ) throws(StoreError) -> NotificationResponse {
    // A store that was made again, or has lost responses to damage, must not use the numbers before: the positions of
    // readers would hide new responses. The seconds since 1970 are more than a user can cause.
    let number = try max(lastResponse().number + 1, moment.microseconds / 1_000_000)
    let response = NotificationResponse(
      to: entry, choice: choice, activationToken: activationToken, respondedAt: moment.date,
      position: ResponsePosition(number: number))
    try store(response)
    try database.run(
      "DELETE FROM response WHERE number <= (SELECT number FROM response ORDER BY number DESC LIMIT 1 OFFSET ?)",
      .integer(Ledger.mostResponses))
    return response
  }

  /// Returns the responses after a position, in order.
  ///
  /// A position beyond the last response comes from another store, and counts as the beginning.
  package func responses(after position: ResponsePosition) throws(StoreError) -> [NotificationResponse] {
    let start = try position > lastResponse() ? .beginning : position
    return try database.rows(
      "SELECT \(Ledger.responseColumns) FROM response WHERE number > ? ORDER BY number",
      .integer(start.number),
      make: response)
  }

  private static let responseColumns =
    "number, request, entry, entry_added_at, occurrence, choice, activation_token, responded_at"

  private func response(_ row: SQLRow) throws(StoreError) -> NotificationResponse {
    guard let choice = NotificationResponse.Choice(stored: row.text(5)) else {
      throw .damaged(path: database.path, reason: "\(row.text(5)) is not a response to a notification")
    }
    return NotificationResponse(
      request: try request(row.text(1)),
      entry: LedgerEntry.ID(row.integer(2), added: Moment(microseconds: row.integer(3))),
      meant: Moment(microseconds: row.integer(4)), choice: choice, activationToken: row.optionalText(6),
      responded: Moment(microseconds: row.integer(7)),
      position: ResponsePosition(number: row.integer(0)))
  }

  /// The position of the last response that a reader has handled.
  package func position(ofReader name: String) throws(StoreError) -> ResponsePosition {
    let numbers = try database.rows("SELECT position FROM reader WHERE name = ?", .text(name)) {
      $0.integer(0)
    }
    return ResponsePosition(number: numbers.first ?? 0)
  }

  /// Records that a reader has handled the responses up to a position.
  package func advance(reader name: String, to position: ResponsePosition) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO reader (name, position) VALUES (?, ?)", .text(name),
      .integer(position.number))
  }

  /// Takes over the positions of the readers of a damaged store, as far as they can be read.
  func salvageReaders(from damaged: Ledger) throws(StoreError) {
    let readers = damaged.database.readableRows(of: "reader", key: "name", "name, position") {
      row throws(StoreError) in (name: row.text(0), position: ResponsePosition(number: row.integer(1)))
    }
    for (name, position) in readers { try advance(reader: name, to: position) }
  }

  /// Takes over the responses of a damaged store, as far as they can be read, with their numbers.
  func salvageResponses(from damaged: Ledger) throws(StoreError) {
    let responses = damaged.database.readableRows(of: "response", Ledger.responseColumns) {
      row throws(StoreError) in try damaged.response(row)
    }.filter { (1...Ledger.highestResponse).contains($0.position.number) }
    for response in responses { try store(response) }
  }

  /// The position of the last response.
  private func lastResponse() throws(StoreError) -> ResponsePosition {
    let numbers = try database.rows("SELECT max(number) FROM response") { $0.optionalInteger(0) ?? 0 }
    let number = numbers.first ?? 0
    guard (0...Ledger.highestResponse).contains(number) else {
      throw .damaged(path: database.path, reason: "\(number) is not the number of a response")
    }
    return ResponsePosition(number: number)
  }

  private func store(_ response: NotificationResponse) throws(StoreError) {
    try database.run(
      """
      INSERT OR REPLACE INTO response (\(Ledger.responseColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(response.position.number), .text(try text(response.request)), .integer(response.entry.number),
      .integer(response.entry.added.microseconds), .integer(response.meant.microseconds),
      .text(response.choice.stored),
      .text(response.activationToken), .integer(response.responded.microseconds))
  }

  private func request(_ text: String) throws(StoreError) -> NotificationRequest {
    do {
      return try JSONDecoder().decode(NotificationRequest.self, from: Data(text.utf8))
    } catch {
      throw .damaged(path: database.path, reason: "a response has no request: \(error)")
    }
  }
}
