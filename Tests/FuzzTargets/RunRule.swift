import NotifierLedger
import SequencePlatform
import SequencePlanning
import SequenceRunner

/// The rules for every run that can be decoded, at any reading.
enum RunRule {
  /// The largest number of steps for trying every command.
  private static let mostSteps = 1000

  private static let commands: [RunCommand] = [
    .pause, .resume(), .resume(countingSuspend: true), .toggle, .next, .skip, .back, .restart, .stop,
    .extend(.seconds(30)),
    .extend(.seconds(-1)),
    .extend(SequenceLimits.longestDuration),
  ]

  static func check(_ snapshot: ActiveRunSnapshot) throws {
    try requireStored(snapshot)
    // Planning visits all upcoming steps, so a long run is not planned again after each command.
    let isShort = snapshot.timeline.listedCount <= mostSteps
    for reading in readings(of: snapshot).prefix(isShort ? .max : 1) {
      guard let settled = try checkState(snapshot.settled(at: reading), at: reading) else { continue }
      for command in commands where isShort {
        // A refused command is a valid outcome.
        guard let after = try? RunStatus(reading: reading, run: settled).applying(command) else { continue }
        // A step that is shortened to its elapsed time ends.
        guard case .active(let run) = after else { try checkState(after, at: reading); continue }
        try checkState(run.settled(at: reading), at: reading)
      }
    }
  }

  /// Returns readings in the boot of the run and in another boot, near its position and at the extremes.
  private static func readings(of snapshot: ActiveRunSnapshot) -> [ClockReading] {
    let since =
      switch snapshot.current.clock {
      case .running(let since, _): since
      case .suspended(_, let suspend): suspend.since
      case .paused: ClockReading(wall: snapshot.current.startedAt, boot: .seconds(1000), bootID: "boot")
      }
    let restarted = ClockReading(wall: since.wall, boot: .seconds(5), bootID: since.bootID + "+")
    // No clock of Linux is below zero or above 64 bits of nanoseconds.
    let extremes = [Int64.zero, .max].flatMap { number in
      [since.bootID, "other"].map {
        ClockReading(wall: Moment(microseconds: number / 1000), boot: .nanoseconds(number), bootID: $0)
      }
    }
    return [since, since.advanced(by: .seconds(90)), restarted.advanced(by: .seconds(3600))] + extremes
  }

  /// Reads a run in every way; returns the run if it is still active.
  @discardableResult
  private static func checkState(_ state: SettledRun, at reading: ClockReading) throws -> ActiveRunSnapshot? {
    switch state {
    case .ended(let ended):
      let records = ended.records
      try require(
        records.count == min(ended.stepCount, SequenceLimits.mostSteps),
        "\(records.count) records of a run that is over")
      let first = ended.snapshot.firstStep
      try require(records.map(\.index) == records.indices.map { first + $0 }, "the records have gaps")
      return nil
    case .active(let run):
      try require(
        run.settled(at: reading) == state, "a settled run is settled otherwise at \(reading): \(run)")
      let status = RunStatus(reading: reading, run: run)
      try require(run.position(at: reading) == status.position, "two positions at \(reading): \(run)")
      try require(status.position?.step.index == run.log.count, "the position is of another step")
      try require((run.pausedRequest(at: status.reading) != nil) == run.isPaused, "a pause is not told")
      if let request = run.returnRequest(at: reading) {
        try require(request.due == reading, "it is told late")
      }
      try checkRequests(run.notificationRequests(at: reading), at: reading)
      return run
    }
  }

  private static func checkRequests(_ requests: [NotificationRequest], at reading: ClockReading) throws {
    for request in requests {
      let left = request.due?.elapsed(since: reading) ?? .zero
      try require(left > .zero, "\(request.identifier) is due already")
    }
  }

  private static func requireStored(_ snapshot: ActiveRunSnapshot) throws {
    guard snapshot.timeline.listedCount <= mostSteps else { return }
    let stored = StoredRun(snapshot)
    let again = try stored.decoded(path: "sequence.db")
    try require(again == snapshot, "it is stored as \(stored), which is another run")
  }
}
