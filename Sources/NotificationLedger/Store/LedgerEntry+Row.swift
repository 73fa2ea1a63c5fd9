import FoundationEssentials
import Platform
import SequenceRunner
import Store

/// A row of the notifications, as far as it makes sense.
enum LedgerRow {
  case readable(LedgerEntry)
  case unreadable(UnreadableRow)

  /// The row of `LedgerEntry.columns`.
  ///
  /// - Parameter actions: reads the buttons.
  init(_ row: SQLRow, _ reader: inout ActionsReader) {
    let identifier = NotificationIdentifier(rawValue: row.text(1))
    let state = LedgerEntry.State(rawValue: row.text(8))
    if let identifier, let state, let actions = reader.actions(row.optionalText(15)) {
      self = .readable(LedgerEntry(row, identifier, state, actions))
    } else {
      // What is left of a name keeps it in its scope.
      let components = row.text(1).split(separator: ".")
      self = .unreadable(
        UnreadableRow(
          number: row.integer(0), name: components.isEmpty ? "unreadable" : components.joined(separator: "."),
          lacksButtonsOnly: identifier != nil && state != nil))
    }
  }

  /// The entry, if it can be read.
  var entry: LedgerEntry? { if case .readable(let entry) = self { entry } else { nil } }

  /// What is known of the row, if it cannot be read.
  var unreadable: UnreadableRow? { if case .unreadable(let row) = self { row } else { nil } }
}

/// Reads the buttons of one row after the other; those that are like those before are decoded once.
struct ActionsReader {
  private var last: (text: String, actions: [NotificationAction])?

  /// The buttons of a column; `nil` if they make no sense.
  mutating func actions(_ text: String?) -> [NotificationAction]? {
    guard let text else { return [] }
    if let last, last.text == text { return last.actions }
    guard let actions = try? JSONDecoder().decode([NotificationAction].self, from: Data(text.utf8)) else {
      return nil
    }
    last = (text, actions)
    return actions
  }
}

/// A row of the notifications of which something makes no sense.
struct UnreadableRow {
  let number: Int64
  /// An identifier that makes sense, the stored one where that does.
  let name: String
  /// Whether it is only the buttons that make no sense.
  let lacksButtonsOnly: Bool
}

extension LedgerEntry {
  /// The columns that are read of a row, in the order in which they are.
  static let columns = """
    number, identifier, kind, summary, body, due_wall, due_boot, boot_id, state, reason, withdrawal, \
    server_id, epoch, updated_at, slot, actions, context, refusals, delivered_at, \
    follows_wall, not_before, repeats, response
    """

  /// The entry of a row, of which some columns have been read.
  fileprivate init(
    _ row: SQLRow, _ identifier: NotificationIdentifier, _ state: State, _ actions: [NotificationAction]
  ) {
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
      withdrawal: row.optionalText(10), repetition: row.optionalText(21).flatMap(Repetition.init),
      response: row.optionalText(22).flatMap(NotificationResponse.Choice.init))
  }
}
