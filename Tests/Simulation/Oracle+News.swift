extension Oracle {
  mutating func heard(_ news: OracleNews) {
    guard var agent else { return }
    let isAnswer = OracleNews.answers(news, agent.isAwaitingAnswer)
    if let entry = news.entry, !isAnswer, !agent.doubts.contains(entry) { return }
    if isAnswer { (agent.isAwaitingAnswer, agent.hasCalledOff) = (nil, false) }
    agent.recorded += 1
    self.agent = agent
    switch news {
    case .serverAvailable(let epoch):
      forget { $0.epoch != epoch }
      if agent.lostBusAt != nil {
        replace()
        self.agent?.lostBusAt = nil
      }
      self.agent?.server = .available(epoch: epoch)
    case .serverUnavailable(let fault):
      if fault == .noServer { forget { _ in true } }
      lose(fault)
    case .serverChanged: self.agent?.server = .unknown
    case .serverGone:
      forget { _ in true }
      lose(.noServer)
    case .busClosed:
      self.agent?.lostBusAt = now.boot
      lose(.noBus)
    case .shown(let entry, let number):
      let isKnown = place(entry) != nil
      shown(entry, number)
      if isKnown { planMore() }
    case .notShown(let entry, let fault): notShown(entry, fault)
    case .closed(let entry): removeIfDelivered(entry)
    case .notClosed(let entry, let fault): notClosed(entry, fault)
    case .closedByServer(let number, let epoch, let isByCall, let isByUser):
      guard let row = delivered(number, epoch) else { break }
      let isNews = !row.isWithdrawn || !isByCall && repetition(of: row) != nil
      if !isByCall { cancelRepetition(of: row) }
      removeIfDelivered(row.number)
      if isByUser, isNews { endInsistence(row) }
    case .pressed(let number, let epoch, let key, let command): pressed(number, epoch, key, command)
    }
  }

  private mutating func lose(_ fault: OracleNews.Fault) {
    agent?.server = .unavailable(isForLackOfBus: fault == .noBus)
  }

  /// Returns the notification with an id: the confirmed one rather than one that an agent died showing in its place.
  private func delivered(
    _ number: UInt32, _ epoch: Int, where isPossible: (OracleRow) -> Bool = { _ in true }
  ) -> OracleRow? {
    let rows = rows.filter {
      $0.state == .delivered && $0.numberOnScreen == number && $0.epoch == epoch && isPossible($0)
    }
    return rows.last { $0.deliveredAt != nil } ?? rows.last
  }

  private mutating func removeIfDelivered(_ entry: Int) {
    guard let index = place(entry), rows[index].state == .delivered else { return }
    change(entry) { $0.state = .removed }
  }

  /// Handles notifications whose server is gone; the next server shows those that are still current.
  private mutating func forget(where isGone: (OracleRow) -> Bool) {
    for row in liveNewestFirst where isGone(row) {
      if row.state == .presenting {
        agent?.doubts.remove(row.number)
        postpone(row.number)
      } else {
        if isNews(row) { showAgain(row, isNew: true) }
        removeIfDelivered(row.number)
      }
    }
  }

  private mutating func postpone(_ entry: Int, refusedUntil time: Int? = nil) {
    guard let index = place(entry), rows[index].state == .presenting else { return }
    let isPlannedAnew = rows.contains {
      $0.name == rows[index].name && ($0.state == .pending || $0.state == .cancelled)
    }
    change(entry) {
      $0.state = $0.isWithdrawn || isPlannedAnew ? .missed : .pending
      $0.refusals += time == nil ? 0 : 1
      $0.notBefore = time ?? 0
    }
  }

  private mutating func shown(_ entry: Int, _ number: UInt32) {
    agent?.doubts.remove(entry)
    guard let index = place(entry) else { return }
    let isAbandoned = rows[index].isWithdrawn && [.delivered, .removed].contains(rows[index].state)
    guard rows[index].state == .presenting || isAbandoned else { return }
    let now = wall
    change(entry) {
      ($0.state, $0.numberOnScreen, $0.refusals, $0.notBefore) = (.delivered, number, 0, 0)
      $0.deliveredAt = now
    }
    if !rows[index].isWithdrawn { replaceOlder(than: rows[index]) }
    let epoch = rows[index].epoch
    for row in rows
    where row.number != entry && row.state == .delivered && row.numberOnScreen == number && row.epoch == epoch
    {
      removeIfDelivered(row.number)
    }
  }

  /// Closes the older notifications that a newer one replaces.
  private mutating func replaceOlder(than newer: OracleRow) {
    for row in rows
    where row.state == .delivered && row.sequence == newer.sequence && row.number != newer.number
      && !row.isWithdrawn
    { change(row.number) { $0.isWithdrawn = true } }
  }

  private mutating func notShown(_ entry: Int, _ fault: OracleNews.Fault) {
    if fault != .unknownOutcome { agent?.doubts.remove(entry) }
    switch fault {
    case .noBus, .noServer, .notAnswering:
      postpone(entry)
      lose(fault)
    case .otherServer:
      postpone(entry)
      if case .unavailable = agent?.server {} else { agent?.server = .unknown }
    case .unknownOutcome:
      if let index = place(entry), rows[index].state == .presenting { change(entry) { _ in } }
      agent?.doubts.insert(entry)
      lose(fault)
    case .calledOff: calledOff(entry)
    case .refused, .excess:
      guard let index = place(entry), rows[index].state == .presenting else { return }
      if !rows[index].isWithdrawn { replaceOlder(than: rows[index]) }
      let refusals = rows[index].refusals
      guard fault == .excess || refusals < 3 else { return change(entry) { $0.state = .failed } }
      if fault == .excess { makeRoom() }
      postpone(entry, refusedUntil: boot + Oracle.pause(after: refusals))
    }
  }

  /// Resets a notification that was prepared and never requested.
  private mutating func calledOff(_ entry: Int) {
    guard let row = rows.first(where: { $0.number == entry }), row.state == .presenting else { return }
    let isPlannedAnew = rows.contains {
      $0.name == row.name && ($0.state == .pending || $0.state == .cancelled)
    }
    if isPlannedAnew { return rows.removeAll { $0.number == entry } }
    change(entry) {
      ($0.state, $0.isWithdrawn) = (row.isWithdrawn ? .cancelled : .pending, false)
      ($0.numberOnScreen, $0.epoch) = (0, 0)
    }
  }

  private mutating func makeRoom() {
    let others = rows.filter { $0.state == .delivered && !$0.isWithdrawn }
    if let oldest = others.min(by: { ($0.deliveredAt ?? wall) < ($1.deliveredAt ?? wall) }) {
      change(oldest.number) { $0.isWithdrawn = true }
    }
  }

  private mutating func notClosed(_ entry: Int, _ fault: OracleNews.Fault) {
    switch fault {
    case .noServer, .otherServer: removeIfDelivered(entry)
    case .noBus, .notAnswering, .unknownOutcome, .calledOff: lose(fault)
    case .refused, .excess:
      guard let index = place(entry), rows[index].state == .delivered else { return }
      if rows[index].refusals >= 3 { return change(entry) { $0.state = .failed } }
      rows[index].notBefore = boot + Oracle.pause(after: rows[index].refusals)
      rows[index].refusals += 1
    }
  }

  private static func pause(after refusals: Int) -> Int {
    [1, 2, 4, 8, 10][min(refusals, 4)] * 1_000_000_000
  }

  /// Returns the pending repetition of a notification that an earlier connection showed.
  private func repetition(of row: OracleRow) -> OracleRow? {
    rows.first { $0.state == .pending && $0.name == row.name && $0.isRepetition }
  }

  private mutating func cancelRepetition(of row: OracleRow) {
    if let repetition = repetition(of: row) { change(repetition.number) { $0.state = .cancelled } }
  }

  /// Executes the command of a button on the step that the notification is about.
  ///
  /// The button may be one of an older notification with the same id; a newer one has its own buttons only.
  private mutating func pressed(_ number: UInt32, _ epoch: Int, _ key: String, _ command: ScenarioCommand) {
    guard let row = delivered(number, epoch, where: { $0.buttons.contains(key) }) else { return }
    guard !row.isWithdrawn || repetition(of: row) != nil else { return change(row.number) { _ in } }
    let refusal = perform(command, step: row.step, run: row.run)
    cancelRepetition(of: row)
    change(row.number) { $0.isWithdrawn = true }
    guard refusal == nil, let run = run(row.run), run.isPaused else { return }
    add(
      OracleRow(
        number: 0, sequence: run.sequence, name: "sequence.\(Oracle.sequenceID(run.sequence)).paused",
        isOfPause: true, run: run.number, step: run.index, dueWall: wall, dueBoot: boot, boot: boots))
  }
}

extension OracleNews {
  static func answers(_ news: OracleNews, _ order: OracleOrder?) -> Bool {
    switch (order, news) {
    case (.probe, .serverAvailable), (.probe, .serverUnavailable): true
    case (.show(let asked, _, _, _, _, _, _), .shown(let entry, _)),
      (.show(let asked, _, _, _, _, _, _), .notShown(let entry, _)):
      asked == entry
    case (.close(let asked), .closed(let entry)), (.close(let asked), .notClosed(let entry, _)):
      asked == entry
    default: false
    }
  }
}
