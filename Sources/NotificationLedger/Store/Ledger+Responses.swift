package import Platform
package import Store

/// The user's responses, numbered in their order.
extension Ledger {
  /// How many responses are kept; as many as notifications that have ended.
  private static let mostResponses: Int64 = 1000
  /// No program gets this far; a higher number is damage.
  private static let highestResponse: Int64 = 1 << 62

  /// Records a response to an entry; the oldest response is deleted if there are too many.
  package func keep(
    _ choice: NotificationResponse.Choice, of entry: LedgerEntry, activationToken: String? = nil,
    at moment: Moment
  ) throws(StoreError) -> NotificationResponse {
    let number = try lastResponse().number + 1
    try insert(
      ResponseRow(
        number: number, entry: entry.number, choice: choice, activationToken: activationToken,
        respondedAt: moment))
    try database.run("DELETE FROM response WHERE number <= ?", .integer(number - Ledger.mostResponses))
    return NotificationResponse(
      request: entry.request, choice: choice, activationToken: activationToken, respondedAt: moment,
      position: ResponsePosition(number: number))
  }

  /// The position of the last response that was recorded, even if it was deleted since.
  package func lastResponse() throws(StoreError) -> ResponsePosition {
    let numbers = try database.rows("SELECT seq FROM sqlite_sequence WHERE name = 'response'") {
      $0.integer(0)
    }
    let number = numbers.first ?? 0
    guard (0...Ledger.highestResponse).contains(number) else {
      throw .damaged(path: database.path, reason: "\(number) is not the number of a response")
    }
    return ResponsePosition(number: number)
  }

  /// Returns the responses after a position, in order.
  ///
  /// A position beyond the last response comes from another store, and counts as the beginning.
  package func responses(after position: ResponsePosition) throws(StoreError) -> [NotificationResponse] {
    var responses: [NotificationResponse] = []
    for row in try responseRows(after: position > lastResponse() ? .beginning : position) {
      // Another process may have deleted it meanwhile, with its responses.
      guard let entry = try entry(row.entry) else { continue }
      responses.append(
        NotificationResponse(
          request: entry.request, choice: row.choice, activationToken: row.activationToken,
          respondedAt: row.respondedAt, position: ResponsePosition(number: row.number)))
    }
    return responses
  }

  /// Takes over the responses of a damaged store to notifications that this one has, as far as they can be read.
  ///
  /// The numbers continue, so that the positions of readers stay right.
  func salvageResponses(from damaged: Ledger) throws(StoreError) {
    // Unreadable rows are lost to the damage.
    let rows = (try? damaged.responseRows(after: .beginning)) ?? []
    for row in rows where try entry(row.entry) != nil { try insert(row) }
    guard let last = try? damaged.lastResponse(), try last > lastResponse() else { return }
    try database.run("DELETE FROM sqlite_sequence WHERE name = 'response'")
    try database.run(
      "INSERT INTO sqlite_sequence (name, seq) VALUES ('response', ?)", .integer(last.number))
  }

  private func insert(_ row: ResponseRow) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO response (number, entry, choice, activation_token, responded_at) VALUES (?, ?, ?, ?, ?)",
      .integer(row.number), .integer(row.entry), .text(row.choice.stored), .text(row.activationToken),
      .integer(row.respondedAt.microseconds))
  }

  /// The rows after a position, in order.
  func responseRows(after position: ResponsePosition) throws(StoreError) -> [ResponseRow] {
    try database.rows(
      """
      SELECT number, entry, choice, activation_token, responded_at FROM response WHERE number > ? ORDER BY number
      """, .integer(position.number)
    ) { row throws(StoreError) in
      guard let choice = NotificationResponse.Choice(stored: row.text(2)) else {
        throw .damaged(path: database.path, reason: "\(row.text(2)) is not a response to a notification")
      }
      return ResponseRow(
        number: row.integer(0), entry: row.integer(1), choice: choice, activationToken: row.optionalText(3),
        respondedAt: Moment(microseconds: row.integer(4)))
    }
  }
}

/// A row of the table of responses.
struct ResponseRow {
  let number: Int64
  /// The number of the entry.
  let entry: Int64
  let choice: NotificationResponse.Choice
  let activationToken: String?
  let respondedAt: Moment
}
