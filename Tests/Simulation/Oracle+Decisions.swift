import SequenceRunner

extension Oracle {
  /// Checks that an agent's order to the desktop is the required order.
  mutating func advanced(_ order: OracleOrder?) throws(Difference) {
    guard var agent else { return }
    if !agent.isShowing { planMore() }
    if let awaited = agent.isAwaitingAnswer {
      let callOff = agent.hasCalledOff ? nil : callOff(of: awaited)
      try compare("an order during another order", callOff, order)
      if callOff != nil { self.agent?.hasCalledOff = true }
      return
    }
    if agent.recorded >= 100 {
      prune()
      agent.recorded = 0
    }
    agent.isAwaitingAnswer = order
    self.agent = agent
    switch agent.server {
    case .unknown:
      if order == nil, hasWork { throw Difference("an order", expected: "a probe", found: "none") }
      if let order, order != .probe { try compare("an order to an unknown server", .probe, order) }
    case .unavailable:
      missWhatIsTooLate()
      if let order, order != .probe { try compare("an order to a missing server", .probe, order) }
    case .available(let epoch):
      for row in abandoned { change(row.number) { $0.state = .delivered } }
      if try decide(on: order, epoch: epoch) { return }
      if let close = nextClose { return try compare("an order", .close(entry: close), order) }
      if try !prepare(order, epoch: epoch) { try compare("an order", nil, order) }
    }
  }

  /// Returns the order to cancel an awaited notification that is no longer wanted; `nil` if it is still
  /// wanted.
  private func callOff(of awaited: OracleOrder) -> OracleOrder? {
    guard case .show(let entry, _, _, _, _, _, let due) = awaited, due > boot else { return nil }
    guard let place = place(entry), !rows[place].isWithdrawn else { return .callOff(entry: entry) }
    let isOvertaken = rows.contains {
      $0.state == .pending && $0.sequence == rows[place].sequence && $0.boot == boots && $0.dueBoot <= due
    }
    return isOvertaken ? .callOff(entry: entry) : nil
  }

  private var nextClose: Int? {
    rows.filter { row in
      row.state == .delivered && row.isWithdrawn && row.notBefore <= boot
        && !rows.contains {
          $0.state == .presenting && $0.numberOnScreen == row.numberOnScreen && $0.epoch == row.epoch
        }
    }.map(\.number).min()
  }

  /// The notifications that are due and not delayed after a refusal.
  private var ready: [OracleRow] {
    rows.filter { $0.state == .pending && $0.boot == boots && $0.dueBoot <= boot && $0.notBefore <= boot }
  }

  var hasWork: Bool { isAwaitingBus || nextClose != nil || !ready.isEmpty || !abandoned.isEmpty }

  /// The notifications that are not wanted any more, and may have been shown without confirmation.
  private var abandoned: [OracleRow] {
    rows.filter { $0.state == .presenting && $0.isWithdrawn && agent?.doubts.contains($0.number) == true }
  }

  /// Recalculates due times planned in another boot from the current wall clock.
  mutating func rebase() {
    for index in rows.indices where rows[index].state == .pending && rows[index].boot != boots {
      // What was shown before is shown again at once.
      rows[index].dueBoot = rows[index].wasShown ? boot : boot + (rows[index].dueWall - wall) * 1000
      rows[index].boot = boots
      rows[index].notBefore = 0
      if !rows[index].wasShown, rows[index].dueWall > wall { rows[index].followsWall = true }
    }
  }

  /// Recalculates the due times that only the wall clock knows, after it was set.
  mutating func followWall() {
    for index in rows.indices
    where rows[index].state == .pending && rows[index].boot == boots && rows[index].followsWall
      && !rows[index].wasShown
    {
      rows[index].dueBoot = boot + (rows[index].dueWall - wall) * 1000
    }
  }

  /// Decides the due notifications, sequence by sequence; returns whether one had to be shown and was.
  private mutating func decide(on order: OracleOrder?, epoch: Int) throws(Difference) -> Bool {
    rebase()
    while let first = ready.min(by: { ($0.dueBoot, $0.number) < ($1.dueBoot, $1.number) }) {
      if try decide(in: first.sequence, on: order, epoch: epoch) { return true }
    }
    return false
  }

  /// The next pending notification that a set wall clock doesn't move.
  private var next: OracleRow? {
    rows.filter {
      $0.state == .pending && $0.boot == boots && $0.dueBoot > boot && $0.notBefore <= $0.dueBoot
        && !$0.followsWall
    }.min { ($0.dueBoot, $0.number) < ($1.dueBoot, $1.number) }
  }

  /// Prepares the next notification if it will be shown alone; returns whether it had to be prepared and was.
  private mutating func prepare(_ order: OracleOrder?, epoch: Int) throws(Difference) -> Bool {
    guard let next, next.dueBoot - boot <= preparation, !isHidden(next) else { return false }
    let due = rows.count {
      $0.state == .pending && $0.sequence == next.sequence && $0.boot == boots && $0.dueBoot <= next.dueBoot
    }
    guard due == 1 else { return false }
    try show(next, by: order, epoch: epoch, at: next.dueBoot, after: next.unlisted)
    return true
  }

  /// Decides the due notifications of a sequence; returns whether one had to be shown and was.
  private mutating func decide(
    in sequence: Int, on order: OracleOrder?, epoch: Int
  ) throws(Difference) -> Bool {
    let due = rows.filter {
      $0.state == .pending && $0.sequence == sequence && $0.boot == boots && $0.dueBoot <= boot
    }.sorted { ($0.dueBoot, $0.number) < ($1.dueBoot, $1.number) }
    guard let newest = due.last else { return false }
    for row in due.dropLast() {
      change(row.number) { ($0.state, $0.reason) = (.missed, "merged into \(newest.name)") }
    }
    let merged = due.dropLast().reduce(0) { $0 + $1.unlisted + ($1.isStepEnd ? 1 : 0) }
    if let place = place(newest.number) { rows[place].unlisted += merged }
    if newest.notBefore > boot { return false }
    // A notification about a suspend stays current until the user acts.
    if isHidden(newest) {
      change(newest.number) { $0.state = .suppressed }
    } else if isLate(newest) && !isNews(newest) && newest.suspend == nil {
      let late = (boot - newest.dueBoot) / 1_000_000_000
      change(newest.number) { ($0.state, $0.reason) = (.missed, "\(late) s late") }
    } else {
      try show(newest, by: order, epoch: epoch, at: boot, after: newest.unlisted + merged)
      return true
    }
    withdrawOutdated(in: newest.sequence)
    return false
  }

  /// Returns whether a live display of the run shows the same; a display cannot ask about a suspend.
  private func isHidden(_ row: OracleRow) -> Bool { foreground == row.run && row.suspend == nil }

  /// Closes outdated notifications that no newer notification replaces.
  private mutating func withdrawOutdated(in sequence: Int) {
    for row in rows
    where row.sequence == sequence && row.state == .delivered && !row.isWithdrawn && !isNews(row) {
      change(row.number) { $0.isWithdrawn = true }
    }
  }

  /// Shows a notification in place of the ends of some earlier steps.
  private mutating func show(
    _ row: OracleRow, by order: OracleOrder?, epoch: Int, at time: Int, after earlier: Int
  ) throws(Difference) {
    guard case .show(let entry, let number, let asked, let summary, let body, let buttons, let due)? = order,
      entry == row.number
    else {
      throw Difference("an order", expected: "to show \(row)", found: "\(String(describing: order))")
    }
    try compare("the epoch of the shown notification", epoch, asked)
    try compare("the time to show it", row.dueBoot, due)
    let older = rows.filter { $0.isLive && $0.sequence == row.sequence }
    if row.refusals == 0, let known = older.last(where: { $0.epoch == epoch }) {
      try compare("the replaced id", known.numberOnScreen, number)
    }
    try checkLateness(of: row, after: earlier, summary, body)
    if let run = run(row.run) {
      // The end of a run names its sequence anyway.
      let needsName = !row.isRunEnd && runs.contains { $0.number != row.run }
      try compare(
        "the sequence in \(body)", needsName,
        body.split(separator: "\n").first?.contains("Sequence \(run.template)") ?? false)
    }
    if let suspend = row.suspend {
      try compare(
        "the buttons after a suspend", ["resume"] + (row.isQuestion ? ["count"] : []), buttons)
      let question = row.isQuestion ? "is paused. Count that time?" : "is paused"
      if !summary.hasSuffix(question) || !body.hasPrefix(suspend) {
        throw Difference(
          "the text after a suspend", expected: "\(question) \(suspend)", found: "\(summary) \(body)")
      }
    }
    // A notification that passes its id on stays visible until then.
    for row in older where !row.isWithdrawn {
      if row.state == .delivered && row.numberOnScreen == number && row.epoch == epoch { continue }
      change(row.number, at: time) { $0.isWithdrawn = true }
    }
    change(row.number, at: time) {
      ($0.state, $0.numberOnScreen, $0.epoch, $0.buttons) = (.presenting, number, epoch, buttons)
    }
  }

  /// Checks the words of a notification that someone reads who was away.
  ///
  /// The end of a run comes with its time. The current step comes with the number of steps that ended unheard, or else
  /// with the time at which it began to be true.
  private func checkLateness(
    of row: OracleRow, after earlier: Int, _ summary: String, _ body: String
  ) throws(Difference) {
    let ended = earlier + (row.isStepEnd ? 1 : 0)
    let isOfStep = !row.isRunEnd && !row.isOfPause
    let isAfterOthers = isOfStep && earlier > 0
    let isLate = isLate(row)
    try compare("standing for the present in \(summary)", isLate && isAfterOthers, summary.hasPrefix("Now: "))
    let count = "\(ended) step\(ended == 1 ? "" : "s") ended meanwhile"
    try compare("\(count) in \(body)", isAfterOthers, body.hasSuffix(count))
    let isOldEnd = row.isRunEnd && row.dueBoot <= boot && wall - row.dueWall > Oracle.latest / 1000
    let hasTime = isOldEnd && row.wasShown || isLate && !isAfterOthers && !row.isOfPause
    try compare("a time in \(body)", hasTime, body.contains(" · at "))
    if isOfStep, let run = run(row.run) {
      try compare("the card in \(summary)", true, summary.contains("Card \(run.steps[row.step].card)"))
    }
    try compare("the end of the run in \(summary)", row.isRunEnd, summary.hasSuffix(" is finished"))
  }

  /// Gives up notifications that are too late to be shown, and no longer true, while there is no server.
  private mutating func missWhatIsTooLate() {
    rebase()
    for sequence in identities.indices {
      let due = rows.filter {
        $0.state == .pending && $0.sequence == sequence && $0.boot == boots && $0.dueBoot <= boot
      }
      guard let newest = due.max(by: { ($0.dueBoot, $0.number) < ($1.dueBoot, $1.number) }),
        !stays(newest), due.allSatisfy({ lastMoment(of: $0) < boot })
      else { continue }
      for row in due {
        let late = (boot - row.dueBoot) / 1_000_000_000
        change(row.number) { ($0.state, $0.reason) = (.missed, "\(late) s late") }
      }
      if !due.isEmpty { withdrawOutdated(in: sequence) }
    }
  }

  /// Returns whether a notification waits for a server, however late it is.
  private func stays(_ row: OracleRow) -> Bool { row.wasShown || isNews(row) || row.suspend != nil }

  /// Returns the last time to show a notification; time before the start of the agent does not count.
  func lastMoment(of row: OracleRow) -> Int {
    max(row.dueBoot, agent?.startedAt ?? 0) + Oracle.latest
  }

  /// Checks that an agent with enough time has handled every due notification.
  func checkPunctuality(nextWake: Int?) throws(Difference) {
    guard let agent, agent.isAwaitingAnswer == nil else { return }
    switch agent.server {
    case .unknown: break
    case .available:
      let left = ready.filter { row in row.notBefore <= boot }
      try compare("the notifications that the agent missed", [], left.map(\.name))
    case .unavailable:
      for sequence in identities.indices {
        let due = rows.filter {
          $0.state == .pending && $0.sequence == sequence && $0.boot == boots && $0.dueBoot <= boot
        }
        guard let newest = due.max(by: { ($0.dueBoot, $0.number) < ($1.dueBoot, $1.number) }),
          !stays(newest), due.allSatisfy({ lastMoment(of: $0) + 1_000_000 <= boot })
        else { continue }
        throw Difference("the notifications to give up", expected: "none", found: "\(due.map(\.name))")
      }
    }
    if let nextWake, nextWake <= boot {
      throw Difference("the wake-up of the agent", expected: "after \(boot)", found: "\(nextWake)")
    }
    var later = rows.filter { $0.state == .pending && $0.boot == boots && $0.dueBoot > boot }.map(\.dueBoot)
    later += ahead.values.map(\.refill)
    var next = later.min()
    if case .available = agent.server, let ready = self.next.map({ $0.dueBoot - preparation }), ready > boot {
      next = ready
    }
    if let next, nextWake.map({ $0 > next }) ?? true {
      throw Difference("the wake-up of the agent", expected: "\(next) at most", found: "\(nextWake ?? -1)")
    }
    guard case .unavailable(let isForLackOfBus) = agent.server, hasWork else { return }
    // A server reports that it has come or answers again; a bus doesn't.
    let limit = isForLackOfBus ? 10 : 600
    guard let nextWake, nextWake <= boot + limit * 1_000_000_000 else {
      throw Difference(
        "the time of the next attempt", expected: "within \(limit) s", found: "\(nextWake ?? -1)")
    }
  }
}
