import SequenceRunner

extension LedgerEntry {
  /// The columns that `init(_:path:)` reads, in its order.
  static let columns = """
    number, identifier, kind, summary, body, due_wall, due_boot, boot_id, state, reason, withdrawal, \
    server_id, epoch, updated_at
    """

  /// The entry of a row of `columns`.
  init(_ row: SQLRow, path: String) throws(StoreError) {
    guard let identifier = NotificationIdentifier(rawValue: row.text(1)),
      let kind = NotificationKind(rawValue: row.text(2)),
      let state = State(rawValue: row.text(8))
    else {
      throw .damaged(path: path, reason: "entry \(row.integer(0)) of the notifications makes no sense")
    }
    let due = Reading(
      wall: Moment(microseconds: row.integer(5)), boot: .nanoseconds(row.integer(6)), bootID: row.text(7))
    let request = NotificationRequest(
      identifier: identifier, kind: kind, summary: row.text(3), body: row.text(4), due: due)
    var shown: ShownNotification?
    if let id = row.optionalInteger(11).flatMap({ UInt32(exactly: $0) }), let epoch = row.optionalText(12) {
      shown = ShownNotification(id: id, epoch: ServerEpoch(rawValue: epoch))
    }
    self.init(
      number: row.integer(0), request: request, state: state, reason: row.optionalText(9),
      updatedAt: Moment(microseconds: row.integer(13)), shown: shown, withdrawal: row.optionalText(10))
  }
}
