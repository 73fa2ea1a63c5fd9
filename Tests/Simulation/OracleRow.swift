struct OracleRow: Equatable {
  var number: Int
  let sequence: Int
  let name: String
  var isRunEnd = false
  var isOfPause = false
  /// The text about a suspend, with the question if there is one; `nil` for other notifications.
  var suspend: String?
  var isQuestion = false
  var run: Int
  var step: Int
  /// The step whose time makes it due.
  var source = 0
  /// The due time: microseconds of the wall clock, nanoseconds of the boot clock of one boot.
  var dueWall: Int
  var dueBoot: Int
  var boot: Int
  /// Whether it was planned in another boot, so that a set wall clock moves its due time.
  var followsWall = false

  var state = State.pending
  var isWithdrawn = false
  var isPlanned = true
  /// Whether it repeats a notification that an earlier connection may have shown.
  var isRepetition = false
  /// Whether an earlier connection certainly showed it, so that it is never late.
  var wasShown = false
  var updatedAt = 0
  /// The id on screen, possibly unconfirmed.
  var numberOnScreen: UInt32 = 0
  var epoch = 0
  var deliveredAt: Int?
  /// The keys of its buttons, once it was ordered to be shown.
  var buttons: [String] = []
  var refusals = 0
  var notBefore = 0
  /// How many earlier notifications without a row it stands for.
  var unlisted = 0
  var reason: String?

  enum State: String {
    case pending, presenting, delivered, removed, missed, suppressed, failed, cancelled
  }

  /// Whether it announces that a step ended by itself and the next one began.
  var isStepEnd: Bool { !isRunEnd && name.hasSuffix(".countdown") && step == source + 1 }

  var isLive: Bool { state == .presenting || state == .delivered }
  var isOver: Bool { state != .pending && !isLive }
}

enum OracleOrder: Equatable {
  case probe
  case show(
    entry: Int, number: UInt32, epoch: Int, summary: String, body: String, buttons: [String], due: Int)
  case close(entry: Int)
  case callOff(entry: Int)
}

enum OracleNews: Equatable {
  case serverAvailable(epoch: Int)
  case serverUnavailable(Fault)
  case serverChanged
  case serverGone
  case busClosed
  case shown(entry: Int, number: UInt32)
  case notShown(entry: Int, Fault)
  case closed(entry: Int)
  case notClosed(entry: Int, Fault)
  case closedByServer(number: UInt32, epoch: Int, isByCall: Bool, isByUser: Bool)
  case pressed(number: UInt32, epoch: Int, key: String, ScenarioCommand)

  enum Fault: Equatable {
    case noBus, noServer, notAnswering, otherServer, unknownOutcome, refused, excess, calledOff
  }

  var entry: Int? {
    switch self {
    case .shown(let entry, _), .notShown(let entry, _), .closed(let entry), .notClosed(let entry, _): entry
    default: nil
    }
  }
}
