extension Oracle {
  static func sequenceID(_ sequence: Int) -> String { id(sequence, 0) }
  static func cardID(_ card: Int, of sequence: Int) -> String { id(sequence, card + 1) }

  private static func id(_ sequence: Int, _ number: Int) -> String {
    func padded(_ number: Int, _ length: Int) -> String {
      let digits = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: length - digits.count) + digits
    }
    return padded(sequence, 8) + "-AAAA-4AAA-8AAA-" + padded(number, 12)
  }

  /// Returns the notifications that a run needs, up to the first step that only the user can end.
  func requests(of run: OracleRun) -> [OracleRow] {
    guard run.endedAt == nil, !run.isPaused else { return [] }
    var requests: [OracleRow] = []
    func add(_ name: String, after time: Int, step: Int, source: Int, isRunEnd: Bool = false) {
      guard time > 0 else { return }
      requests.append(
        OracleRow(
          number: 0, sequence: run.sequence, name: name, isRunEnd: isRunEnd, run: run.number, step: step,
          source: source, dueWall: run.reached.later(by: time).wall, dueBoot: boot + time, boot: boots))
    }
    /// The time until the step begins; negative for the current step.
    var start = -run.ran
    for index in run.index..<run.steps.count {
      let step = run.steps[index]
      let name = occurrence(step, of: run)
      let target = index == run.index ? run.target : run.lengths[index] ?? run.planned(index)
      let end = start + (target ?? 0)
      switch step.kind {
      case .automatic:
        let isLast = index + 1 == run.steps.count && run.endlessAfter == nil
        add(
          isLast ? "sequence.\(Oracle.sequenceID(run.sequence)).finished" : name + ".countdown",
          after: end, step: index + 1, source: index, isRunEnd: isLast)
        start = end
      case .manual(_, let insist):
        add(name + ".countdown", after: end, step: index, source: index)
        // Who does something about the run once its time is up needs no reminder.
        guard let insist, index > run.index || run.ranBefore < target ?? 0 else { return requests }
        for number in 1...30 {
          add(
            name + ".countdown.reminder.\(number)", after: end + number * insist * run.tickLength,
            step: index,
            source: index)
        }
        return requests
      case .open: return requests
      case .goal(_, let reminders, let cadence):
        for number in 1...reminders {
          let pause = max(cadence * run.tickLength, OracleEvent.shortestCadence)
          add(
            name + ".countup.reminder.\(number)", after: end + (number - 1) * pause, step: index,
            source: index)
        }
        return requests
      }
    }
    return requests
  }

  private func occurrence(_ step: OracleStep, of run: OracleRun) -> String {
    let card = Oracle.cardID(step.card, of: run.template)
    let rounds = step.rounds.isEmpty ? "" : ".round" + step.rounds.map { ".\($0[0])" }.joined()
    return "sequence.\(Oracle.sequenceID(run.sequence)).card.\(card)" + rounds
  }

  /// Replaces the pending notifications of a sequence by the first of the requested ones; the rest follows later.
  mutating func planFirst(_ requests: [OracleRow], for sequence: Int) {
    plan(Array(requests.prefix(horizon)), for: sequence, keepsDue: false)
    if requests.count > horizon { ahead[sequence] = OracleAhead(requests, horizon: horizon) }
  }

  /// Adds more notifications of each run that has few with a row left, in the order of the runs' last changes.
  mutating func planMore() {
    for run in runs.sorted(by: { $0.entry < $1.entry }) {
      guard var ahead = ahead[run.sequence], ahead.refill <= boot else { continue }
      addLast(at: run.index, of: run)
      ahead.window.removeAll { $0.dueBoot <= boot }
      ahead.later = ahead.later.drop { $0.dueBoot <= boot }
      let next = ahead.later.prefix(horizon - ahead.window.count)
      for row in next where !ahead.isCleared(row) { add(row) }
      ahead.window += next
      ahead.later.removeFirst(next.count)
      ahead.setRefill(horizon)
      self.ahead[run.sequence] = ahead.later.isEmpty ? nil : ahead
    }
  }

  /// Adds the last notification of a run that is due and has no row; it stands for those before it.
  ///
  /// - Parameters:
  ///   - index: the current step, or the number of steps.
  ///   - reached: the time that the run has reached, on the boot clock of the rows; `nil` for that of the clocks.
  mutating func addLast(at index: Int, of run: OracleRun, until reached: Int? = nil) {
    guard let ahead = ahead[run.sequence] else { return }
    let due = Array(ahead.later.prefix { row in reached.map { row.dueBoot <= $0 } ?? isDue(row) })
    guard let place = due.lastIndex(where: { !ahead.isCleared($0) && $0.source >= index - horizon }) else {
      return
    }
    // The wall clock was set back: it would be shown later, and stands for nothing that comes.
    if reached != nil, due[place].dueWall > wall { return }
    var row = due[place]
    row.unlisted = due[..<place].count(where: \.isStepEnd)
    add(row)
  }

  mutating func plan(_ requests: [OracleRow], for sequence: Int, keepsDue: Bool) {
    ahead[sequence] = nil
    for index in rows.indices where rows[index].sequence == sequence && rows[index].state == .pending {
      rows[index].isPlanned = false
    }
    requests.forEach { add($0) }
    for index in rows.indices where rows[index].sequence == sequence && rows[index].state == .pending {
      if rows[index].isPlanned || keepsDue && isDue(rows[index]) { continue }
      rows[index].state = .cancelled
      rows[index].updatedAt = wall
    }
  }

  /// Returns the number of each.
  ///
  /// - Parameter card: the id of the card whose notifications are cleared; `nil` for all.
  mutating func clear(_ sequence: Int, card: String?) -> (pending: Int, onScreen: Int) {
    let prefix =
      "sequence.\(Oracle.sequenceID(sequence))."
      + (card.map { "card.\($0)." } ?? "")
    let own = rows.indices.filter { rows[$0].name.hasPrefix(prefix) }
    var (pending, onScreen) = (0, 0)
    for index in own {
      if rows[index].state == .pending {
        rows[index].state = .cancelled
        pending += 1
      } else if rows[index].isLive, !rows[index].isWithdrawn {
        rows[index].isWithdrawn = true
        onScreen += 1
      } else {
        continue
      }
      rows[index].updatedAt = wall
    }
    if card == nil { ahead[sequence] = nil } else { ahead[sequence]?.cleared.append(prefix) }
    return (pending, onScreen)
  }

  /// Ends the reminders of a card whose time is up: the user has closed one of its notifications.
  mutating func endInsistence(_ row: OracleRow) {
    let parts = row.name.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(of: "countdown"), let run = run(row.run), !run.isPaused,
      run.endedAt == nil, run.index == row.step, case .manual(_, _?) = run.step.kind
    else { return }
    let prefix = parts[...place].joined(separator: ".") + ".reminder."
    for index in rows.indices where rows[index].name.hasPrefix(prefix) {
      switch rows[index].state {
      case .pending: rows[index].state = .cancelled
      case _ where rows[index].isLive && !rows[index].isWithdrawn: rows[index].isWithdrawn = true
      default: continue
      }
      rows[index].updatedAt = wall
    }
    ahead[row.sequence]?.cleared.append(prefix)
  }

  mutating func withdraw(_ sequence: Int) {
    for index in rows.indices
    where rows[index].sequence == sequence && rows[index].isLive && !rows[index].isWithdrawn {
      rows[index].isWithdrawn = true
      rows[index].updatedAt = wall
    }
  }

  /// Returns whether a notification is due; notifications planned in another boot follow the wall clock.
  func isDue(_ row: OracleRow) -> Bool { row.boot == boots ? row.dueBoot <= boot : row.dueWall <= wall }

  /// Makes a notification pending, even if it was pending or cancelled before.
  mutating func add(_ request: OracleRow) {
    var row = request
    (row.state, row.isPlanned, row.isWithdrawn, row.updatedAt) = (.pending, true, false, wall)
    (row.refusals, row.notBefore, row.deliveredAt, row.reason) = (0, 0, nil, nil)
    // From the end, and without a copy of each row: a long scenario spends most of its time here.
    let known = rows.indices.last {
      (rows[$0].state == .pending || rows[$0].state == .cancelled) && rows[$0].name == row.name
    }
    if let index = known {
      row.number = rows[index].number
      rows[index] = row
    } else {
      // Rows are in the order of their numbers.
      row.number = (rows.last?.number ?? 0) + 1
      rows.append(row)
    }
  }

  /// Purges the notifications that ended first, except the last thousand.
  mutating func prune() {
    guard rows.count > 1000 else { return }
    let over = rows.filter(\.isOver).sorted { ($1.updatedAt, $1.number) < ($0.updatedAt, $0.number) }
    let purged = over.dropFirst(1000)
    purgedFailures.formUnion(purged.filter { $0.state == .failed }.map(\.number))
    let forgotten = Set(purged.map(\.number))
    rows.removeAll { forgotten.contains($0.number) }
  }
}
