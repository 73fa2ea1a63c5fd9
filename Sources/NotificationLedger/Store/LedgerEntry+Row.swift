import FoundationEssentials
import SequenceRunner

extension LedgerEntry {
  /// The columns that `init(_:path:)` reads, in its order.
  static let columns = """
    number, identifier, kind, summary, body, due_wall, due_boot, boot_id, state, reason, withdrawal, \
    server_id, epoch, updated_at, slot, actions, context, refusals, delivered_at, \
    follows_wall, not_before
    """

  /// The entry of a row of `columns`.
  init(_ row: SQLRow, path: String) throws(StoreError) {
    guard let identifier = NotificationIdentifier(rawValue: row.text(1)),
      let state = State(rawValue: row.text(8)),
      let actions = LedgerEntry.actions(row.optionalText(15))
    else {
      throw .damaged(path: path, reason: "entry \(row.integer(0)) of the notifications makes no sense")
    }
    let due = Reading(
      wall: Moment(microseconds: row.integer(5)), boot: .nanoseconds(row.integer(6)), bootID: row.text(7))
    let request = NotificationRequest(
      identifier: identifier, slot: row.text(14), kind: NotificationKind(rawValue: row.text(2)),
      summary: row.text(3), body: row.text(4), actions: actions, context: row.optionalText(16), due: due,
      followsWallClock: row.integer(19) != 0)
    var shown: ShownNotification?
    if let id = row.optionalInteger(11).flatMap({ UInt32(exactly: $0) }), let epoch = row.optionalText(12) {
      shown = ShownNotification(id: id, epoch: ServerEpoch(rawValue: epoch))
    }
    self.init(
      number: row.integer(0), request: request, state: state, reason: row.optionalText(9),
      updatedAt: Moment(microseconds: row.integer(13)),
      deliveredAt: row.optionalInteger(18).map { Moment(microseconds: $0) }, shown: shown,
      refusals: Int(row.integer(17)), notBefore: .nanoseconds(row.integer(20)),
      withdrawal: row.optionalText(10))
  }

  /// The buttons of a column; `nil` if they make no sense.
  private static func actions(_ text: String?) -> [NotificationAction]? {
    guard let text else { return [] }
    return try? JSONDecoder().decode([NotificationAction].self, from: Data(text.utf8))
  }

}
