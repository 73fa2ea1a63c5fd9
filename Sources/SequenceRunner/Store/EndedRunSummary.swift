import FoundationEssentials
import SequencePlatform
import SequenceStore

package struct EndedRunSummary: Equatable, Sendable {
  /// The id of the run as stored; parsing the ids of a long history takes longer than reading it.
  package let runID: String
  /// The id that the runs of a sequence share; those of timers and of cards share one by their title.
  package let sequenceID: String
  package let title: String
  package let startedAt: Moment
  package let endedAt: Moment
  package let outcome: RunOutcome
  /// The number of steps of the run, from its first step to the end; `nil` for an endless sequence and a lost run.
  package let steps: Int?
  package let completed: Int
  package let skipped: Int
  /// The active time, including restarted steps.
  package let active: Duration
  /// The part of the active time that was rest.
  package let rest: Duration
  /// The words of the user about the run; `nil` for none.
  package let remark: String?
  package let labels: [String]
  /// The labels that the run counts for: `nil` if it has none.
  package var countedLabels: [String?] { labels.isEmpty ? [nil] : labels.map(Optional.init) }

  package init(
    runID: String, sequenceID: String, title: String, startedAt: Moment, endedAt: Moment, outcome: RunOutcome,
    steps: Int?, completed: Int, skipped: Int, active: Duration, rest: Duration, remark: String? = nil,
    labels: [String] = []
  ) {
    self.runID = runID
    self.sequenceID = sequenceID
    self.title = title
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.steps = steps
    self.completed = completed
    self.skipped = skipped
    self.active = active
    self.rest = rest
    self.remark = remark
    self.labels = labels
  }

  /// - Complexity: O(entries of its log).
  package init(_ run: EndedRun) {
    let (sequence, log) = (run.snapshot.sequence, run.snapshot.log)
    let completed = log.completedCount
    self.init(
      runID: run.runID.text, sequenceID: run.snapshot.historyID.text, title: sequence.title,
      startedAt: run.snapshot.startedAt, endedAt: run.endedAt, outcome: run.outcome,
      steps: run.outcome == .lost ? nil : run.snapshot.stepCount, completed: completed,
      skipped: log.endedCount - completed, active: run.active, rest: run.rest,
      remark: run.snapshot.remark, labels: run.snapshot.labels)
  }
}

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
