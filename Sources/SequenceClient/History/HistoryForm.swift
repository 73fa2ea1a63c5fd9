import FoundationEssentials
import SequenceFiles
import SequencePlatform
package import SequenceRunner

/// The formats of the history for other programs.
package enum HistoryForm: String, CaseIterable, Sendable {
  case csv, json
  case calendar = "ics"

  /// Returns the file that the user means with a path and a chosen form: a form other than the first one replaces the
  /// end of the name, and else a known end chooses the form.
  package static func file(_ path: String, chosen: HistoryForm) -> (path: String, form: HistoryForm) {
    guard let written = HistoryForm(rawValue: WorkoutFormat.fileExtension(of: path)) else {
      return ("\(path).\(chosen.rawValue)", chosen)
    }
    guard chosen != allCases[0], chosen != written else { return (path, written) }
    return (path.dropLast(written.rawValue.count) + chosen.rawValue, chosen)
  }

  /// Writes the runs of a store that a query finds to a file.
  package func write(_ query: HistoryQuery, of store: RunStore, to path: String) throws {
    let text = try text(store.historySummaries(query), of: store) + "\n"
    do throws(SystemError) {
      try AtomicFile.write(text, to: path, replacing: true)
    } catch {
      throw ClientError.unwritable(path, error, remedy: AtomicFile.remedy(for: error, path))
    }
  }

  /// Returns runs of a store in this form, without the line feed at the end.
  package func text(_ runs: [EndedRunSummary], of store: RunStore) throws -> String {
    switch self {
    case .csv: HistoryCSV.text(runs)
    case .json:
      try JSONText.encode(HistoryDocument(runs.compactMap(store.wholeRun).map(store.withPauses)))
    case .calendar: HistoryCalendar.text(runs)
    }
  }
}

extension RunStore {
  /// Returns a run of a list with its steps; `nil` if it was removed meanwhile.
  package func wholeRun(_ run: EndedRunSummary) throws -> EndedRun? {
    try UUID(uuidString: run.runID).flatMap { try endedRun(id: $0) }
  }

  package func withPauses(_ run: EndedRun) throws -> (run: EndedRun, pauses: [RunPause]) {
    (run, try pauses(of: run.runID))
  }
}

/// The JSON of commands, whose keys are a contract, so each document has one type.
package enum JSONText {
  /// The version of the documents; it changes if a key is renamed or removed.
  package static let schema = 1

  package static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return TextSafety.escapedJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}

package struct HistoryDocument: Encodable {
  let schema = JSONText.schema
  let runs: [Run]

  struct Run: Encodable {
    let id: String
    let sequence: SequenceIdentity
    let startedAt: String
    let endedAt: String
    let outcome: String
    /// The number of the step that the run started at; `nil` for the first one.
    let firstStep: Int?
    let remark: String?
    let labels: [String]
    /// The planned end of the run, and its lateness in seconds.
    let deadline: String?
    let late: Double?
    /// The active time, including steps that were restarted.
    let active: Double
    /// The parts of the active time.
    let work: Double
    let rest: Double
    let pauses: [PauseDocument]
    let steps: [StepDocument]
    /// Whether more steps were begun than are listed.
    let hasMoreSteps: Bool
  }

  struct PauseDocument: Encodable {
    let at: String
    let duration: Double
    /// The cause of a suspend, unless the user paused the run.
    let reason: String?
  }

  struct StepDocument: Encodable {
    let card: CardDocument
    let rounds: [Step.Round]
    let startedAt: String
    let endedAt: String
    let planned: Double?
    let actual: Double
    let outcome: String
  }

  package init(_ runs: [(run: EndedRun, pauses: [RunPause])]) {
    self.runs = runs.map { ended, pauses in
      let timeline = ended.snapshot.timeline
      let records = ended.records
      return Run(
        id: ended.runID.uuidString,
        sequence: .init(id: timeline.definition.id.uuidString, title: timeline.definition.title),
        startedAt: ended.snapshot.startedAt.description, endedAt: ended.endedAt.description,
        outcome: ended.outcome.rawValue,
        firstStep: ended.snapshot.firstStepNumber, remark: ended.snapshot.remark,
        labels: ended.snapshot.labels,
        deadline: ended.snapshot.deadline?.wall.description, late: ended.late?.seconds,
        active: ended.active.seconds,
        work: (ended.active - ended.rest).seconds, rest: ended.rest.seconds,
        pauses: pauses.map {
          PauseDocument(
            at: $0.start.description, duration: $0.duration.seconds, reason: $0.cause?.rawValue)
        },
        steps: records.map { record in
          let step = timeline.step(at: record.index)
          return StepDocument(
            card: CardDocument(step.card), rounds: step.rounds,
            startedAt: record.startedAt.description,
            endedAt: record.endedAt.description, planned: record.planned?.seconds,
            actual: record.actual.seconds, outcome: record.outcome.rawValue)
        },
        hasMoreSteps: ended.stepCount > records.count)
    }
  }
}

package struct CardDocument: Encodable {
  let id: String
  let title: String
  package let kind: String
  let isRest: Bool

  package init(_ card: Card) {
    id = card.id.uuidString
    title = card.title
    kind = card.timing.duration == nil ? "countup" : "countdown"
    isRest = card.isRest
  }
}

package struct SequenceIdentity: Encodable {
  let id: String
  let title: String

  package init(id: String, title: String) {
    (self.id, self.title) = (id, title)
  }
}

extension ActiveRunSnapshot {
  /// The number of the step that the run started at; `nil` for the first one.
  package var firstStepNumber: Int? { firstStep == 0 ? nil : firstStep + 1 }
}
