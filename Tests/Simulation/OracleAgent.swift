struct OracleAgent {
  /// The start of the agent, on the boot clock.
  let startedAt: Int
  var server = Server.unknown
  var isAwaitingAnswer: OracleOrder?
  var hasCalledOff = false
  /// The entries that may have been shown without confirmation.
  var doubts: Set<Int> = []
  var lostBusAt: Int?
  /// The number of events since the notifications were last purged, which the first turn does.
  var recorded = 100
  /// The received and unhandled signals of suspend, with their times.
  var heard: [(OracleLogin, at: OracleMoment)] = []
  /// Whether it has begun to handle them.
  var hasTended = false
  var isGoing = false
  var isLocked: Bool?

  /// Whether it waits until a notification is shown; meanwhile it plans nothing.
  var isShowing: Bool {
    if case .show = isAwaitingAnswer { true } else { false }
  }

  enum Server: Equatable {
    case unknown
    case available(epoch: Int)
    case unavailable(isForLackOfBus: Bool)
  }
}

extension Oracle {
  static let latest = 30_000_000_000
  /// How long the end of a run is told, while the sequence isn't started again: a day.
  static let latestEnd = 86_400_000_000_000

  mutating func beginAgent() {
    agent = OracleAgent(startedAt: boot)
    beginTurn()
    rebase()
    replace()
    followWall()
  }

  mutating func endAgent() {
    agent = nil
    (dispatcher.taken, dispatcher.known) = (dispatcher.stored?.counts, nil)
  }

  /// Closes notifications of a lost connection, and shows the current ones again.
  mutating func replace() {
    for number in liveNewestFirst.map(\.number) {
      guard let index = place(number) else { continue }
      let row = rows[index]
      if row.state == .presenting {
        showAgain(row, isNew: false)
        change(number) { $0.state = .delivered }
      } else if isNews(row) {
        showAgain(row, isNew: true)
      }
      if !row.isWithdrawn { change(number) { $0.isWithdrawn = true } }
    }
  }

  /// The notifications being shown, then the visible ones; newest first.
  var liveNewestFirst: [OracleRow] {
    rows.filter { $0.state == .presenting } + rows.filter { $0.state == .delivered }
  }

  /// Returns whether a person who comes back would still want to know: the step is the current one, or the run ended
  /// within a day.
  func isNews(_ row: OracleRow) -> Bool {
    guard let run = run(row.run) else {
      let late = row.boot == boots ? boot - row.dueBoot : (wall - row.dueWall) * 1000
      return row.isRunEnd && late <= Oracle.latestEnd
    }
    return run.index == row.step && run.isPaused == row.isOfPause
  }

  /// Queues a notification again, unless it is queued or a newer one is about to be shown.
  mutating func showAgain(_ row: OracleRow, isNew: Bool) {
    guard !row.isWithdrawn else { return }
    guard !rows.contains(where: { $0.state == .pending && $0.name == row.name }) else { return }
    var again = row
    again.isRepetition = true
    if isNew {
      let isOvertaken = rows.contains {
        $0.state == .pending && $0.sequence == row.sequence && $0.boot == boots && $0.dueBoot <= boot
          && (!isLate($0) || isNews($0) || $0.suspend != nil)
      }
      guard !isOvertaken else { return }
      // The user has seen it, and sees the same time again.
      (again.dueBoot, again.boot, again.wasShown) = (boot, boots, true)
      again.unlisted = 0
    }
    add(again)
  }

  /// Returns whether a due notification could not be shown in time; one that was shown before was.
  func isLate(_ row: OracleRow) -> Bool { !row.wasShown && boot - row.dueBoot > Oracle.latest }

  func place(_ number: Int) -> Int? { rows.firstIndex { $0.number == number } }

  /// - Parameter time: the time of the change on the boot clock; `nil` for now.
  mutating func change(_ number: Int, at time: Int? = nil, _ body: (inout OracleRow) -> Void) {
    guard let index = place(number) else { return }
    body(&rows[index])
    rows[index].updatedAt = wall + ((time ?? boot) - boot) / 1000
  }

  var hasNothingToWaitFor: Bool {
    guard let agent, agent.isAwaitingAnswer == nil, !mustListen, !awaitsEvents else { return false }
    if case .unavailable(let isForLackOfBus) = agent.server {
      // Notifications that wait for a server don't keep an agent for longer than half a minute.
      let isWaiting = rows.contains {
        $0.state == .pending && ($0.boot != boots || $0.dueBoot > boot || lastMoment(of: $0) >= boot)
      }
      return !isAwaitingBus && ahead.isEmpty && !isWaiting
        && (isForLackOfBus || !rows.contains { $0.isLive })
    }
    return ahead.isEmpty && !rows.contains { $0.state == .pending || $0.isLive }
  }

  var isAwaitingBus: Bool { agent?.lostBusAt.map { boot - $0 <= Oracle.latest } ?? false }
}
