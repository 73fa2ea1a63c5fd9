/// A notification, from its plan to its end.
struct OracleRow: Equatable {
  var number: Int
  let sequence: Int
  let name: String
  var isRunEnd = false
  var isOfPause = false
  /// How it tells of an absence, if it does, and whether it asks whether that counts.
  var suspend: String?
  var isQuestion = false
  /// The run and the step that it is about.
  var run: Int
  var step: Int
  /// When it is due: microseconds of the wall clock, nanoseconds of the boot clock of one boot.
  var dueWall: Int
  var dueBoot: Int
  var boot: Int

  var state = State.pending
  var isWithdrawn = false
  var isPlanned = true
  /// Whether it shows again what an earlier connection may have shown.
  var isRepetition = false
  /// When it last changed, by the wall clock.
  var updatedAt = 0
  /// What it is known by on screen, or may be.
  var numberOnScreen: UInt32 = 0
  var epoch = 0
  var deliveredAt: Int?
  var refusals = 0
  var notBefore = 0
  /// Why it was missed.
  var reason: String?

  enum State: String {
    case pending, presenting, delivered, removed, missed, suppressed, failed, cancelled
  }

  var isLive: Bool { state == .presenting || state == .delivered }
  var isOver: Bool { state != .pending && !isLive }
}

/// What an agent asks of the desktop.
enum OracleOrder: Equatable {
  case probe
  case show(
    entry: Int, number: UInt32, epoch: Int, summary: String, body: String, buttons: [String], due: Int)
  case close(entry: Int)
  case callOff(entry: Int)
}

/// What an agent hears.
enum OracleNews: Equatable {
  case serverAvailable(epoch: Int)
  case serverUnavailable(Fault)
  case serverHeardOf
  case serverGone
  case busClosed
  case shown(entry: Int, number: UInt32)
  case notShown(entry: Int, Fault)
  case closed(entry: Int)
  case notClosed(entry: Int, Fault)
  case closedByServer(number: UInt32, epoch: Int, isByCall: Bool)
  case pressed(number: UInt32, epoch: Int, LifeCommand)

  enum Fault: Equatable {
    case noBus, noServer, notAnswering, otherServer, unknownOutcome, refused, excess, calledOff
  }

  /// The entry that it is the answer about.
  var entry: Int? {
    switch self {
    case .shown(let entry, _), .notShown(let entry, _), .closed(let entry), .notClosed(let entry, _): entry
    default: nil
    }
  }
}
