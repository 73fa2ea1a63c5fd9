import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The row of an ended run; the columns of `StoredRun` are not in the list of runs.
extension EndedRunSummary {
  enum Column: Int, CodingKey, CaseIterable {
    case runID, sequenceID, title, startedAt, endedAt, outcome, steps, completed, skipped, active, rest,
      remark, labels
    case sequence, sequenceChecksum, snapshot, checksum
  }

  static let table = Table("history", Column.allCases.map(\.stringValue))
  static let listColumns = Table("", Column.allCases.prefix(while: { $0 != .sequence }).map(\.stringValue))
    .columns
  /// The columns of an ended run in the order of `table`, and nothing for sums, which are calculated again.
  static let salvagedNames = Column.allCases.map { column in
    switch column {
    case .endedAt, .outcome, .sequence, .sequenceChecksum, .snapshot, .checksum, .runID:
      Table.name(ofColumn: column.stringValue)
    default: "0"
    }
  }

  func values(_ stored: StoredRun) -> [SQLValue] {
    Column.allCases.map { column in
      switch column {
      case .runID: .text(runID)
      case .sequenceID: .text(sequenceID)
      case .title: .text(title)
      case .startedAt: .integer(startedAt.microseconds)
      case .endedAt: .integer(endedAt.microseconds)
      case .outcome: .text(outcome.rawValue)
      case .steps: .integer(steps ?? 0)
      case .completed: .integer(completed)
      case .skipped: .integer(skipped)
      case .active: .integer(active.nanoseconds)
      case .rest: .integer(rest.nanoseconds)
      case .remark: .text(remark)
      case .labels:
        .text(labels.isEmpty ? nil : labels.joined(separator: String(EndedRunSummary.labelSeparator)))
      case .sequence: .text(stored.sequence.text)
      case .sequenceChecksum: .text(stored.sequence.checksum)
      case .snapshot: .text(stored.snapshot.text)
      case .checksum: .text(stored.snapshot.checksum)
      }
    }
  }

  init(_ row: SQLRow, path: String) throws(StoreError) {
    let steps = Int(row.integer(Column.steps))
    self.init(
      runID: row.text(Column.runID), sequenceID: row.text(Column.sequenceID), title: row.text(Column.title),
      startedAt: Moment(microseconds: row.integer(Column.startedAt)),
      endedAt: Moment(microseconds: row.integer(Column.endedAt)), outcome: try Self.outcome(row, path: path),
      steps: steps > 0 ? steps : nil, completed: Int(row.integer(Column.completed)),
      skipped: Int(row.integer(Column.skipped)), active: .nanoseconds(row.integer(Column.active)),
      rest: .nanoseconds(row.integer(Column.rest)), remark: row.optionalText(Column.remark),
      labels: row.optionalText(Column.labels).map { EndedRunSummary.labels(in: $0) } ?? [])
  }

  /// No label has a space.
  private static let labelSeparator: Unicode.Scalar = " "

  static func labels(in text: String) -> [String] {
    // Most runs have one label at most.
    guard text.unicodeScalars.contains(labelSeparator) else { return text.isEmpty ? [] : [text] }
    return text.unicodeScalars.split(separator: labelSeparator).map { String($0) }
  }

  /// The condition that a run has a label, which is bound with the separator around it.
  static let hasLabel = "instr('\(labelSeparator)' || labels || '\(labelSeparator)', ?)"

  static func boundLabel(_ label: String) -> SQLValue {
    .text("\(labelSeparator)\(label)\(labelSeparator)")
  }

  static func outcome(_ row: SQLRow, path: String) throws(StoreError) -> RunOutcome {
    let text = row.text(Column.outcome)
    guard let outcome = RunOutcome(rawValue: text) else {
      throw .damaged(path: path, reason: "\(text) is not an outcome of a run")
    }
    return outcome
  }
}
