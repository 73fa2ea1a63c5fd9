import FoundationEssentials
import SequencePlatform
import SequenceStore

extension JournalEntry {
  enum Column: Int, CodingKey, CaseIterable {
    case number, previous, runID, kind, reason, wall, boot, bootID, time, step, current, checksum
  }

  static let table = Table("journal", Column.allCases.map(\.stringValue))

  /// - Parameter current: the current step as JSON.
  func values(current: String?) -> [SQLValue] {
    var values: [SQLValue] = []
    for column in Column.allCases {
      let value: SQLValue =
        switch column {
        case .number: .integer(number)
        case .previous: .integer(previous)
        case .runID: .text(runID.text)
        case .kind: .text(kind.name)
        case .reason: .text(kind.cause?.rawValue)
        case .wall: .integer(at.wall.microseconds)
        case .boot: .integer(at.boot.nanoseconds)
        case .bootID: .text(at.bootID)
        case .time: .integer(time.nanoseconds)
        case .step: .integer(step)
        case .current: .text(current)
        case .checksum: .text(JournalEntry.checksum(values))
        }
      values.append(value)
    }
    return values
  }

  private static func checksum(_ values: [SQLValue]) -> String {
    StoredText.checksum(values.map(\.canonical).concatenated(by: "\n"))
  }

  /// - Throws: `StoreError.damaged` if it is not as it was written; `.newer` if a newer program has written it.
  init(_ row: SQLRow, path: String) throws(StoreError) {
    let number = row.integer(Column.number)
    let values = (0..<Column.checksum.rawValue).map { row.value(Int32($0)) }
    guard JournalEntry.checksum(values) == row.text(Column.checksum) else {
      throw .damaged(path: path, reason: "entry \(number) of the journal does not have its checksum")
    }
    let (name, reason) = (row.text(Column.kind), row.optionalText(Column.reason))
    let cause = reason.flatMap(SuspendCause.init)
    guard let kind = Kind(name: name, cause: cause), (cause == nil) == (reason == nil) else {
      throw .newer(path: path, reason: "entry \(number) of the journal is \(name) \(reason ?? "")")
    }
    let current = try row.optionalText(Column.current).map { text throws(StoreError) in
      try JSONReader.value(of: text, path: path) { json throws(JSONReader.Failure) in
        try ActiveRunSnapshot.CurrentStep(from: &json)
      }
    }
    guard let runID = UUID(text: row.text(Column.runID)), number > 0,
      let step = Int(exactly: row.integer(Column.step)), (0...StepLog.mostSteps).contains(step)
    else { throw .damaged(path: path, reason: "entry \(number) of the journal makes no sense") }
    self.init(
      number: number, previous: row.optionalInteger(Column.previous), runID: runID, kind: kind,
      at: ClockReading(
        wall: Moment(microseconds: row.integer(Column.wall)), boot: .nanoseconds(row.integer(Column.boot)),
        bootID: row.text(Column.bootID)),
      time: .nanoseconds(row.integer(Column.time)), step: step, current: current)
  }
}
