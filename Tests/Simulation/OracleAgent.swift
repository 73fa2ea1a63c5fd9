/// What an agent has heard of, as far as it matters to what it must do.
struct OracleAgent {
  /// When it began, on the boot clock.
  let startedAt: Int
  var server = Server.unknown
  var isAwaitingAnswer: OracleOrder?
  /// Whether what it waits for was called off.
  var hasCalledOff = false
  /// The entries that may have been shown, though nobody said so.
  var doubts: Set<Int> = []
  var lostBusAt: Int?
  var recorded = 0
  /// What it heard of the machine's going and has not acted on, and when.
  var heard: [(OracleLogin, at: OracleMoment)] = []
  /// Whether it has begun to act on that.
  var hasTended = false
  /// Whether the machine is about to go, or away, for all that it knows.
  var isGoing = false

  enum Server: Equatable {
    case unknown
    case available(epoch: Int)
    case unavailable(isForLackOfBus: Bool)
  }
}

extension Oracle {
  static let latest = 30_000_000_000

  /// An agent begins, and takes over what another one left.
  mutating func beginAgent() {
    agent = OracleAgent(startedAt: boot)
    rebase()
    replace()
    prune()
  }

  /// An agent has ended, or was killed.
  mutating func endAgent() { agent = nil }

  /// What hangs on a connection that is gone is shown once more if it is news, and goes.
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

  /// What is being shown, and then what is on screen, which is not repeated if the newer one is about to be.
  var liveNewestFirst: [OracleRow] {
    rows.filter { $0.state == .presenting } + rows.filter { $0.state == .delivered }
  }

  /// Whether the step that it is about is the one that is being done.
  func isNews(_ row: OracleRow) -> Bool {
    guard let run = current, run.number == row.run else {
      let late = row.boot == boots ? boot - row.dueBoot : (wall - row.dueWall) * 1000
      return row.isRunEnd && late <= Oracle.latest
    }
    return run.index == row.step && run.isPaused == row.isOfPause
  }

  /// Puts one in line once more, unless the same one is, or a newer one that is about to be shown.
  mutating func showAgain(_ row: OracleRow, isNew: Bool) {
    guard !row.isWithdrawn else { return }
    guard !rows.contains(where: { $0.state == .pending && $0.name == row.name }) else { return }
    var again = row
    again.isRepetition = true
    if isNew {
      let isOvertaken = rows.contains {
        $0.state == .pending && $0.sequence == row.sequence && $0.boot == boots
          && (($0.suspend == nil ? boot - Oracle.latest : 0)...boot).contains($0.dueBoot)
      }
      guard !isOvertaken else { return }
      (again.dueWall, again.dueBoot, again.boot) = (wall, boot, boots)
    }
    add(again)
  }

  func place(_ number: Int) -> Int? { rows.firstIndex { $0.number == number } }

  /// - Parameter time: when it counts as done, on the boot clock; `nil` for now.
  mutating func change(_ number: Int, at time: Int? = nil, _ body: (inout OracleRow) -> Void) {
    guard let index = place(number) else { return }
    body(&rows[index])
    rows[index].updatedAt = wall + ((time ?? boot) - boot) / 1000
  }

  /// Whether an agent has nothing left to wait for.
  var isAtRest: Bool {
    guard let agent, agent.isAwaitingAnswer == nil, !mustListen else { return false }
    if agent.server == .unavailable(isForLackOfBus: true) {
      return !isAwaitingBus && !rows.contains { $0.state == .pending }
    }
    return !rows.contains { $0.state == .pending || $0.isLive }
  }

  var isAwaitingBus: Bool { agent?.lostBusAt.map { boot - $0 <= Oracle.latest } ?? false }
}
