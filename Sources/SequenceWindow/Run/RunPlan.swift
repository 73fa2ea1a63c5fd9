import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The steps of a run before and after the current one, as rows.
struct RunPlan: Equatable {
  struct Row: Equatable {
    let index: Int
    let title: String
    /// Its rounds, and its start if that is known or its outcome.
    let facts: String
    /// The time that it took, or its length.
    let time: String
    let state: State
    let note: String?
    let image: String?
  }

  enum State {
    case completed
    case skipped
    case current
    case ahead

    var icon: String? {
      switch self {
      case .completed: "object-select-symbolic"
      case .skipped: "media-skip-forward-symbolic"
      case .current: "media-playback-start-symbolic"
      case .ahead: nil
      }
    }

    /// For screen readers; the icon tells others.
    var word: String {
      switch self {
      case .completed: translated("completed")
      case .skipped: translated("skipped")
      case .current: translated("current step")
      case .ahead: translated("ahead")
      }
    }
  }

  let rows: [Row]
  /// The number of steps after the rows; `nil` for endless ones.
  let more: Int?

  /// The rows stay the same for as many steps, and there are at least as many before and twice as many after the current
  /// one.
  private static let block = 50

  /// - Complexity: O(entries of the log).
  init(_ run: ActiveRunSnapshot, at now: Moment) {
    let (timeline, current) = (run.timeline, run.log.count)
    let first = run.firstStep + max(0, (current - run.firstStep) / RunPlan.block - 1) * RunPlan.block
    let end = min(timeline.end, first + 4 * RunPlan.block)
    let past = run.log.records(from: first, in: timeline).map { record in
      let step = timeline.step(at: record.index)
      return Row(
        step, [], time: LengthText.elapsed(record.actual),
        record.outcome == .skipped ? .skipped : .completed)
    }
    let chain = run.chain
    // No later start is known than that of a step that waits.
    let lastKnown = timeline.firstStop(from: current) ?? .max
    let rest = (current..<end).map { index in
      let step = run.step(at: index)
      let target = index == current ? run.target : step.timing.target
      let start = index > current && index <= lastKnown ? chain : nil
      let facts = [
        start.map { chain in
          let start = chain.since.wall.advanced(by: chain.time(ofStepAt: index, elapsed: .zero))
          return translated("at {}", LocalTime.clock(of: start, now: now))
        }, step.timing.endsByItself ? nil : translated("waits for you"),
      ]
      return Row(
        step, facts.compactMap { $0 }, time: target.map(LengthText.format) ?? "",
        index == current ? .current : .ahead)
    }
    rows = past + rest
    more = timeline.count.map { $0 - end }
  }
}

extension RunPlan.Row {
  fileprivate init(_ step: Step, _ facts: [String], time: String, _ state: RunPlan.State) {
    let rounds = StepText.rounds(step).joined(separator: ", ").capitalizedFirst
    self.init(
      index: step.index, title: TextSafety.sanitised(step.card.title),
      facts: ((rounds.isEmpty ? [] : [rounds]) + facts).joined(separator: " · ").capitalizedFirst,
      time: time, state: state, note: step.card.note.map(TextSafety.sanitised), image: step.card.image)
  }

  /// The row for screen readers.
  var name: String { [title, time, state.word, facts].filter { !$0.isEmpty }.joined(separator: ", ") }

  var hasContent: Bool { note != nil || image != nil }
}
