import FoundationEssentials
import SequencePlatform
import SequenceStore

/// Reads the buttons and triggers of one row after the other; equal texts in a row are decoded once.
struct RowReader {
  private var last: (text: String, actions: [NotificationAction])?
  private var lastTrigger: (text: String, trigger: NotificationTrigger)?
  private var lastStyle: (text: String, style: NotificationStyle)?

  /// The style of a column; `nil` if it can't be read.
  mutating func style(_ text: String?) -> NotificationStyle? {
    guard let text else { return NotificationStyle() }
    if let lastStyle, lastStyle.text == text { return lastStyle.style }
    // The reason is of no use to anybody who can't edit the column.
    guard let style = try? JSONDecoder().decode(NotificationStyle.self, from: Data(text.utf8)) else {
      return nil
    }
    lastStyle = (text, style)
    return style
  }

  /// The trigger of two columns; `nil` if the text is none.
  mutating func trigger(_ text: String?, followsWallClock: Bool, due: ClockReading) -> NotificationTrigger? {
    guard let text else {
      return NotificationTrigger(followsWallClock ? .at(due.wall) : .reading(due))
    }
    let known = lastTrigger?.text == text ? lastTrigger?.trigger : NotificationTrigger(text)
    // One that contradicts the other column, or repeats at once, would be tried forever.
    guard let known, known.followsWallClock == followsWallClock, !known.repeatsAtOnce else { return nil }
    lastTrigger = (text, known)
    return known
  }

  /// The buttons of a column.
  mutating func actions(_ text: String?) throws(JSONReader.Failure) -> [NotificationAction] {
    guard let text else { return [] }
    if let last, last.text == text { return last.actions }
    var json = JSONReader(text)
    var actions: [NotificationAction] = []
    try json.array { json throws(JSONReader.Failure) in actions.append(try NotificationAction(from: &json)) }
    try json.end()
    last = (text, actions)
    return actions
  }
}

extension LedgerEntry {
  /// A count of a column, which may be damaged; as large as one can get, and small enough to be added to others.
  fileprivate static func count(_ number: Int64) -> Int { Int(min(max(0, number), 1 << 40)) }
}

extension NotificationTrigger {
  /// The text in the store; `nil` if the due time has it all.
  var stored: String? {
    switch rule {
    case .immediately, .after, .every, .matching: description
    case .at, .reading: nil
    }
  }
}

extension NotificationAction {
  fileprivate init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (key, title) = (String?.none, String?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "key": key = try json.string()
      case "title": title = try json.string()
      default: try json.skip()
      }
    }
    guard let key, let title else { throw json.failure("the key and the title of an action before this") }
    self.init(key: key, title: title)
  }
}

extension LedgerEntry {
  /// The columns that `init(_:_:path:)` reads, in its order.
  static let columns = """
    number, identifier, kind, summary, body, due_wall, due_boot, boot_id, state, reason, withdrawal, \
    server_id, epoch, updated_at, tag, actions, user_info, refusals, delivered_at, \
    follows_wall, not_before, repeats, response, bus_address, unlisted, schedule, previous_due, is_occurrence,
    style, latest_delivery
    """

  /// The entry of a row of `columns`.
  ///
  /// - Throws: `StoreError.damaged` if the row makes no sense.
  init(_ row: SQLRow, _ reader: inout RowReader, path: String) throws(StoreError) {
    guard let identifier = NotificationIdentifier(rawValue: row.text(1)) else {
      throw .damaged(path: path, reason: "\(row.text(1)) is not an identifier of a notification")
    }
    guard let state = State(rawValue: row.text(8)) else {
      throw .damaged(path: path, reason: "\(row.text(8)) is not a state of a notification")
    }
    let actions: [NotificationAction]
    do throws(JSONReader.Failure) {
      actions = try reader.actions(row.optionalText(15))
    } catch {
      throw .damaged(path: path, reason: "the buttons of a notification do not have \(error.expected)")
    }
    let due = ClockReading(
      wall: Moment(microseconds: row.integer(5)), boot: .nanoseconds(row.integer(6)), bootID: row.text(7))
    guard
      let trigger = reader.trigger(row.optionalText(25), followsWallClock: row.integer(19) != 0, due: due)
    else { throw .damaged(path: path, reason: "\(row.text(25)) is not a trigger of a notification") }
    guard let style = reader.style(row.optionalText(28)) else {
      throw .damaged(path: path, reason: "the style of a notification is not one")
    }
    var request = NotificationRequest(
      identifier, row.text(3), row.text(4), actions: actions, style: style, trigger: trigger,
      tag: NotificationRequest.tag(ofPlace: row.text(14)), userInfo: row.optionalText(16),
      latestDelivery: row.optionalInteger(29).map { .nanoseconds($0) })
    request.kind = row.text(2).isEmpty ? nil : NotificationKind(rawValue: row.text(2))
    var shown: ShownNotification?
    if let id = row.optionalInteger(11).flatMap({ UInt32(exactly: $0) }), let epoch = row.optionalText(12) {
      shown = ShownNotification(id: id, epoch: ServerEpoch(rawValue: epoch))
    }
    self.init(
      number: row.integer(0), request: request, due: due,
      previous: row.optionalInteger(26).map { Moment(microseconds: $0) },
      isOccurrence: row.integer(27) != 0, state: state,
      reason: row.optionalText(9).map(NotificationReason.init(stored:)),
      updatedAt: Moment(microseconds: row.integer(13)),
      deliveredAt: row.optionalInteger(18).map { Moment(microseconds: $0) }, shown: shown,
      busAddress: row.optionalText(23),
      refusals: LedgerEntry.count(row.integer(17)), notBefore: .nanoseconds(row.integer(20)),
      withdrawal: row.optionalText(10).map(NotificationReason.init(stored:)),
      repetition: row.optionalText(21).flatMap(Repetition.init),
      response: row.optionalText(22).flatMap(NotificationResponse.Choice.init),
      unlisted: LedgerEntry.count(row.integer(24)))
  }
}
