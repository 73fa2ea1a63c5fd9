import FoundationEssentials
import SequencePlatform
import SequenceRunner

extension Oracle {
  func check(_ observation: Observation) throws(Difference) {
    try compare("the number of runs in the history", archive.count, observation.ended)
    let runs = listed
    try compare("the active runs", runs.map(\.name), observation.runs.map(\.name))
    for (run, found) in zip(runs, observation.runs) {
      try compare("the source of \(run.name)", run.source.rawValue, found.source)
      try check(found.position, of: run)
      try check(found.suspend, of: run)
      try check(found.deadline, late: found.late, of: run)
      if !isUnanchored {
        let left = run.endlessAfter == nil ? Int64(run.resumed(at: now).estimatedLeft) : nil
        try compare("the estimated time left", left, found.left?.nanoseconds)
      }
    }
    try check(observation.rows)
    for (run, found) in zip(runs, observation.runs) where run.isRunning {
      try check(found.past, found.ahead, of: run)
    }
  }

  private func check(_ past: [RunEvent], _ ahead: [RunEvent], of run: OracleRun) throws(Difference) {
    try compare(
      "the events since the start of the clock", run.events[run.eventsBefore...].map(\.description),
      past.map { World.event($0).description })
    var expected: [OracleEvent] = []
    for point in run.points { expected.append(run.event(point)) }
    if run.step.endsByItself, let end = run.end { expected.append(end) }
    try compare(
      "the next events", expected.map(\.description),
      ahead.prefix(expected.count).map { World.event($0).description })
    if !run.step.endsByItself { try compare("the number of events", expected.count, ahead.count) }
  }

  private func check(_ found: RunPosition, of run: OracleRun) throws(Difference) {
    let step = run.step
    try compare("the step", run.index, found.step.index)
    try compare("the number of steps", run.endlessAfter == nil ? run.steps.count : nil, found.stepCount)
    try compare("the card", Oracle.cardID(step.card, of: run.template), found.step.card.id.uuidString)
    try compare("the rounds", step.rounds, found.step.rounds.map { [$0.round, $0.of ?? 0] })
    let isOver = run.target.map { run.ran >= $0 } ?? false
    try compare(
      "the state of the step", run.isPaused ? "paused" : isOver ? "overtime" : "running", found.state.rawValue
    )
    try compare("the elapsed time", Int64(run.ran), found.elapsed.nanoseconds)
    try compare("the target", run.target.map(Int64.init), found.target.map(\.nanoseconds))
    let left = step.isCountUp ? nil : run.target.map { max(0, $0 - run.ran) }
    try compare("remaining", left.map(Int64.init), found.remaining.map(\.nanoseconds))
    try compare("the start of the step", run.stepStartedAt, Int(found.startedAt.microseconds))
    let done = run.records.reduce(run.ran + run.unrecorded) { $0 + $1.actual }
    try compare("the total elapsed time", Int64(done), found.totalElapsed.nanoseconds)
    let ahead = run.steps[(run.index + 1)...]
    let isUnknown = run.endlessAfter != nil || step.isCountUp || ahead.contains { $0.isCountUp }
    let resumed = run.resumed(at: now)
    try compare(
      "the total remaining", isUnknown ? nil : Int64(resumed.left), found.totalRemaining?.nanoseconds)
    let next = ahead.first.map { Oracle.cardID($0.card, of: run.template) }
    try compare("the next card", next, found.next?.card.id.uuidString)
    let length = run.index + 1 < run.steps.count ? resumed.lengths[run.index + 1] : nil
    if let length, ahead.first?.isCountUp == false {
      try compare("the length of the next step", Int64(length), found.next?.timing.duration?.nanoseconds)
    }
  }

  private func check(_ deadline: ClockReading?, late: Duration?, of run: OracleRun) throws(Difference) {
    try compare("the time of the deadline", run.deadline?.wall, deadline.map { Int($0.wall.microseconds) })
    if !isUnanchored { try compare("the deadline", run.deadline, deadline.map(World.moment)) }
    try compare("the lateness", run.late(at: now).map(Int64.init), late?.nanoseconds)
  }

  private func check(_ found: Suspend?, of run: OracleRun) throws(Difference) {
    let expected = run.suspend
    try compare("the cause of the pause", expected?.cause.rawValue, found?.cause.rawValue)
    guard let expected, let found else { return }
    try compare("the start of the suspend", expected.since, World.moment(found.since))
    try compare("the end of the suspend", expected.until, found.until.map(World.moment))
  }

  private func check(_ found: [Observation.Row]) throws(Difference) {
    guard rows.count == found.count else {
      throw Difference(
        "the notifications", expected: rows.map { "\($0.number) \($0.name) \($0.state)" }.description,
        found: found.map { "\($0.number) \($0.name) \($0.state)" }.description)
    }
    for (row, found) in zip(rows, found) {
      let number = row.number
      try compare("the number of a notification", number, found.number)
      try compare("the name of notification \(number)", row.name, found.name)
      try compare("the state of notification \(number), \(row.name)", row.state.rawValue, found.state)
      if row.isLive { try compare("the withdrawal of \(number)", row.isWithdrawn, found.isWithdrawn) }
      try compare("the notifications that \(number) stands for", row.unlisted, found.unlisted)
      if row.state == .pending {
        try compare("the due time of \(number) by the wall clock", row.dueWall, found.dueWall)
        try compare("the due time of \(number) by the boot clock", row.dueBoot, found.dueBoot)
        try compare("the boot that planned \(number)", "boot \(row.boot)", found.boot)
      }
      if row.state == .missed, let reason = row.reason, found.reason?.hasPrefix(reason) != true {
        throw Difference(
          "the reason for missing \(number)", expected: reason, found: found.reason ?? "nothing")
      }
    }
  }

  private func compareMoments(
    _ what: String, _ expected: Int, _ found: Int, within most: Int
  ) throws(Difference) {
    if abs(expected - found) > most { try compare(what, expected, found) }
  }

  func check(_ found: EndedRun, is run: OracleRun) throws(Difference) {
    try compare("the start of run \(run.number)", run.startedAt, Int(found.snapshot.startedAt.microseconds))
    try compare("the end of run \(run.number)", run.endedAt, Int(found.endedAt.microseconds))
    try compare("the outcome of run \(run.number)", run.isFinished, found.outcome == .finished)
    try compare("the lateness of run \(run.number)", run.lateAtEnd.map(Int64.init), found.late?.nanoseconds)
    let records = found.records
    try compare(
      "the active time of run \(run.number)", Int64(run.activeBefore), found.active.nanoseconds)
    try compare("the number of records of run \(run.number)", run.records.count, records.count)
    for (record, found) in zip(run.records, records) {
      try compare("the index of a record", record.index, found.index)
      let name = "step \(record.index) of run \(run.number)"
      // A record has the sum of moments and times that are rounded down one by one.
      let isRounded = run.deadline != nil
      try compareMoments(
        "the start of \(name)", record.startedAt, Int(found.startedAt.microseconds), within: isRounded ? 1 : 0
      )
      try compareMoments(
        "the end of \(name)", record.endedAt, Int(found.endedAt.microseconds), within: isRounded ? 1 : 0)
      try compare("the plan of \(name)", record.planned.map(Int64.init), found.planned?.nanoseconds)
      try compare("the actual duration of \(name)", Int64(record.actual), found.actual.nanoseconds)
      try compare("the outcome of \(name)", record.isCompleted, found.outcome == .completed)
    }
  }
}
