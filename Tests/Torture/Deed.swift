import FoundationEssentials
import SequenceRunner

enum Deed: Hashable {
  case start
  case replace
  case pause
  case resume
  case next
  case back
  case extend
  case stop
  case status
  case clear
  case schedule
  case unschedule

  static let script: [Deed] = [
    .start, .replace, .pause, .resume, .next, .back, .extend, .extend, .stop, .status, .clear,
    .schedule, .unschedule,
  ]

  var words: [String] {
    switch self {
    case .start: ["start"] + Bench.cards + ["--json"]
    case .replace: ["start", "--replace"] + Bench.cards + ["--json"]
    case .pause, .resume, .next, .back, .stop: ["\(self)", Bench.name, "--json"]
    case .status: ["status", "--json"]
    case .extend: ["extend", "1s", Bench.name, "--json"]
    case .clear: ["notifications", "clear", "--all", "--json"]
    case .schedule: ["schedule", Bench.plan, Bench.time, "--json"]
    case .unschedule: ["schedule", "remove", "1", "--json"]
    }
  }

  /// Returns whether the command must be refused because there is nothing to act on.
  func isRefused(in state: StoredState) -> Bool {
    switch self {
    case .start: state.run != nil
    case .pause: state.run?.isPaused != false
    case .resume: state.run?.isPaused != true
    case .next, .back, .extend, .stop: state.run == nil
    case .unschedule: !state.schedules.contains(1)
    case .replace, .status, .clear, .schedule: false
    }
  }

  /// Returns the difference between the resulting and the expected store; `nil` if the command was applied
  /// exactly once.
  func fault(from before: StoredState, to after: StoredState) -> String? {
    let isRight: Bool =
      switch self {
      case .status, .clear: after.isSame(as: before)
      case .schedule: after.isSame(as: before, schedules: before.schedules + after.schedules.suffix(1))
      case .unschedule: after.isSame(as: before, schedules: before.schedules.filter { $0 != 1 })
      case .start: isNew(before, after) && after.history == before.history
      case .replace: isNew(before, after) && hasEnded(before, after, as: "stopped")
      case .stop: after.run == nil && hasEnded(before, after, as: "stopped")
      case .pause: isGoingOn(before, after, stepsOn: 0) && after.run?.isPaused == true
      case .resume: isGoingOn(before, after, stepsOn: 0) && after.run?.isPaused == false
      case .extend:
        isGoingOn(before, after, stepsOn: 0)
          && after.run?.current.extended == before.run.map { ($0.current.extended ?? .zero) + .seconds(1) }
      case .back: isGoingOn(before, after, stepsOn: before.run?.log.count == 0 ? 0 : -1)
      case .next:
        isLast(before)
          ? after.run == nil && hasEnded(before, after, as: "finished")
          : isGoingOn(before, after, stepsOn: 1)
      }
    let isSameElsewhere =
      after.other == before.other
      && ([.schedule, .unschedule].contains(self) || after.schedules == before.schedules)
    return isRight && isSameElsewhere ? nil : "\(self) made \(after.text) of \(before.text)"
  }

  private func isLast(_ state: StoredState) -> Bool {
    state.run.map { $0.log.count + 1 == $0.timeline.end } ?? false
  }

  private func isNew(_ before: StoredState, _ after: StoredState) -> Bool {
    guard let run = after.run else { return false }
    return run.runID != before.run?.runID && before.history[run.runID.uuidString] == nil
      && run.log.count == 0 && !run.isPaused && after.revision > before.revision
  }

  private func hasEnded(_ before: StoredState, _ after: StoredState, as outcome: String) -> Bool {
    var history = before.history
    if let id = before.runID { history[id] = outcome }
    return after.history == history
  }

  private func isGoingOn(_ before: StoredState, _ after: StoredState, stepsOn: Int) -> Bool {
    guard let old = before.run, let new = after.run else { return false }
    return new.runID == old.runID && new.startedAt == old.startedAt
      && new.log.count == old.log.count + stepsOn
      && after.history == before.history && after.revision == before.revision + 1
  }
}
