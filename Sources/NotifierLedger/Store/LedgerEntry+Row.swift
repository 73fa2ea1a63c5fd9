import FoundationEssentials
import SequencePlatform
import SequenceStore

/// Reads the buttons and triggers of one row after the other; equal texts in a row are decoded once.
struct RowReader {
  private var last: (text: String, actions: [NotificationAction])?
  private var lastTrigger: (text: String, trigger: NotificationTrigger)?
  private var lastStyle: (text: String, style: NotificationStyle)?

  mutating func style(_ text: String?) -> NotificationStyle? {
    guard let text else { return NotificationStyle() }
    if let lastStyle, lastStyle.text == text { return lastStyle.style }
    guard let style: NotificationStyle = decoded(text) else { return nil }
    lastStyle = (text, style)
    return style
  }

  mutating func userInfo(_ text: String?) -> [String: String]? {
    guard let text else { return [:] }
    return decoded(text)
  }

  private func decoded<Value: Decodable>(_ text: String) -> Value? {
    // The reason is of no use to anybody who can't edit the column.
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

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
  enum Column: Int, CodingKey, CaseIterable {
    case number, addedAt, identifier, kind, context, summary, body, actions, userInfo, style, latestDelivery,
      missed, tag
    case schedule, followsWall, dueWall, dueBoot, bootID, previousDue, zoneOffset, snoozed, isOccurrence,
      unlisted
    case state, reason, withdrawal, repeats, serverID, epoch, refusals, notBefore
    case deliveredAt, response, updatedAt
  }

  static let table = Table("notification", Column.allCases.map(\.stringValue))

  /// The arguments are JSON; `nil` stands for no buttons, the usual style, and no data.
  func values(actions: String?, style: String?, userInfo: String?) -> [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .number: number > 0 ? .integer(number) : .null
      case .addedAt: .integer(id.added.microseconds)
      case .identifier: .text(request.identifier.rawValue)
      case .kind: .text(request.kind)
      case .context: .text(request.context)
      case .summary: .text(request.summary)
      case .body: .text(request.body)
      case .actions: .text(actions)
      case .userInfo: .text(userInfo)
      case .style: .text(style)
      case .latestDelivery: .integer(request.latestDelivery?.nanoseconds)
      case .missed: if case .each(let count) = request.missed { .integer(Int64(count)) } else { .null }
      case .tag: .text(request.place)
      case .schedule: .text(request.trigger.stored)
      case .followsWall: .integer(request.trigger.followsWallClock ? 1 : 0)
      case .dueWall: .integer(due.wall.microseconds)
      case .dueBoot: .integer(due.boot.nanoseconds)
      case .bootID: .text(due.bootID)
      case .previousDue: .integer(previous?.microseconds)
      case .zoneOffset: .integer(offset.map(Int64.init))
      case .snoozed: .integer(snoozed?.microseconds)
      case .isOccurrence: .integer(isOccurrence ? 1 : 0)
      case .unlisted: .integer(unlisted)
      case .state: .text(state.rawValue)
      case .reason: .text(reason?.stored)
      case .withdrawal: .text(withdrawal?.stored)
      case .repeats: .text(repetition?.rawValue)
      case .serverID: .integer(shown.map { Int64($0.id) })
      case .epoch: .text(shown?.epoch.rawValue)
      case .refusals: .integer(refusals)
      case .notBefore: .integer(notBefore.nanoseconds)
      case .deliveredAt: .integer(delivered?.microseconds)
      case .response: .text(response?.stored)
      case .updatedAt: .integer(updated.microseconds)
      }
    }
  }

  init(_ row: SQLRow, _ reader: inout RowReader, path: String) throws(StoreError) {
    guard let identifier = NotificationIdentifier(rawValue: row.text(Column.identifier)) else {
      throw .damaged(
        path: path, reason: "\(row.text(Column.identifier)) is not an identifier of a notification")
    }
    guard let state = State(rawValue: row.text(Column.state)) else {
      throw .damaged(path: path, reason: "\(row.text(Column.state)) is not a state of a notification")
    }
    let actions: [NotificationAction]
    do throws(JSONReader.Failure) {
      actions = try reader.actions(row.optionalText(Column.actions))
    } catch {
      throw .damaged(path: path, reason: "the buttons of a notification do not have \(error.expected)")
    }
    let due = ClockReading(
      wall: Moment(microseconds: row.integer(Column.dueWall)),
      boot: .nanoseconds(row.integer(Column.dueBoot)),
      bootID: row.text(Column.bootID))
    let (schedule, followsWall) = (row.optionalText(Column.schedule), row.integer(Column.followsWall) != 0)
    guard let trigger = reader.trigger(schedule, followsWallClock: followsWall, due: due) else {
      throw .damaged(path: path, reason: "\(schedule ?? "") is not a trigger of a notification")
    }
    guard let style = reader.style(row.optionalText(Column.style)) else {
      throw .damaged(path: path, reason: "the style of a notification is not one")
    }
    guard let userInfo = reader.userInfo(row.optionalText(Column.userInfo)) else {
      throw .damaged(path: path, reason: "the data of a notification is not that of a program")
    }
    var request = NotificationRequest(
      identifier, row.text(Column.summary), row.text(Column.body), actions: actions, style: style,
      trigger: trigger, tag: NotificationRequest.tag(ofPlace: row.text(Column.tag)),
      userInfo: userInfo,
      latestDelivery: row.optionalInteger(Column.latestDelivery).map { .nanoseconds($0) })
    request.kind = row.optionalText(Column.kind)
    request.context = row.optionalText(Column.context)
    if let most = row.optionalInteger(Column.missed) {
      request.missed = .each(atMost: LedgerEntry.count(most))
    }
    var shown: ShownNotification?
    if let id = row.optionalInteger(Column.serverID).flatMap({ UInt32(exactly: $0) }),
      let epoch = row.optionalText(Column.epoch)
    {
      shown = ShownNotification(id: id, epoch: ServerEpoch(rawValue: epoch))
    }
    self.init(
      id: ID(
        row.integer(Column.number), added: Moment(microseconds: row.integer(Column.addedAt))),
      request: request, due: due,
      previous: row.optionalInteger(Column.previousDue).map { Moment(microseconds: $0) },
      offset: row.optionalInteger(Column.zoneOffset).flatMap { Int(exactly: $0) },
      snoozed: row.optionalInteger(Column.snoozed).map { Moment(microseconds: $0) },
      isOccurrence: row.integer(Column.isOccurrence) != 0, state: state,
      reason: row.optionalText(Column.reason).map(NotificationReason.init(stored:)),
      updated: Moment(microseconds: row.integer(Column.updatedAt)),
      delivered: row.optionalInteger(Column.deliveredAt).map { Moment(microseconds: $0) }, shown: shown,
      refusals: LedgerEntry.count(row.integer(Column.refusals)),
      notBefore: .nanoseconds(row.integer(Column.notBefore)),
      withdrawal: row.optionalText(Column.withdrawal).map(NotificationReason.init(stored:)),
      repetition: row.optionalText(Column.repeats).flatMap(Repetition.init),
      response: row.optionalText(Column.response).flatMap(NotificationResponse.Choice.init),
      unlisted: LedgerEntry.count(row.integer(Column.unlisted)))
  }
}
