import Foundation
import NotifierLedger
import NotifierDelivery
import SequenceRunner

extension World {
  static func command(_ command: ScenarioCommand, quantum: Int) -> RunCommand {
    switch command {
    case .pause: .pause
    case .resume: .resume()
    case .resumeCounting: .resume(countingSuspend: true)
    case .toggle: .toggle
    case .next: .next
    case .skip: .skip
    case .back: .back
    case .restart: .restart
    case .stop: .stop
    case .extend(let ticks): .extend(.microseconds(ticks * quantum))
    }
  }

  static func name(of error: RunError) -> String {
    switch error {
    case .noActiveRun: "noActiveRun"
    case .runActive: "runActive"
    case .sequenceActive: "sequenceActive"
    case .nameTaken: "nameTaken"
    case .invalidName: "invalidName"
    case .tooManyRuns: "tooManyRuns"
    case .noSuchStep: "noSuchStep"
    case .justEnded: "justEnded"
    case .alreadyPaused: "alreadyPaused"
    case .alreadyRunning: "alreadyRunning"
    case .notSuspended: "notSuspended"
    case .nothingToExtend: "nothingToExtend"
    case .shortenedTooMuch: "shortenedTooMuch"
    case .extendedTooMuch: "extendedTooMuch"
    case .stepPassed: "stepPassed"
    case .runPassed: "runPassed"
    case .tooEarly: "tooEarly"
    case .endlessUntil: "endlessUntil"
    }
  }

  func order(_ order: DesktopOrder) -> OracleOrder {
    switch order {
    case .probe, .startServer, .status: .probe
    case .show(let entry, let content, let shown):
      .show(
        entry: Int(entry), number: shown.id, epoch: epoch(shown.epoch), summary: content.summary,
        body: content.body, buttons: content.actions.map(\.key), due: Int(content.due.nanoseconds))
    case .close(let entry, _): .close(entry: Int(entry))
    case .callOff(let entry): .callOff(entry: Int(entry))
    }
  }

  func news(_ event: DesktopEvent) -> OracleNews {
    switch event {
    case .serverAvailable(let server): .serverAvailable(epoch: epoch(server.epoch))
    case .serverUnavailable(let failure): .serverUnavailable(fault(failure))
    case .serverChanged, .serverStartable, .sessionChanged, .examined: .serverChanged
    case .serverGone: .serverGone
    case .busClosed: .busClosed
    case .shown(let entry, let shown): .shown(entry: Int(entry), number: shown.id)
    case .notShown(let entry, let failure): .notShown(entry: Int(entry), fault(failure))
    case .closed(let entry), .goneWithServer(let entry): .closed(entry: Int(entry))
    case .notClosed(let entry, let failure): .notClosed(entry: Int(entry), fault(failure))
    case .closedByServer(let shown, let reason):
      .closedByServer(
        number: shown.id, epoch: epoch(shown.epoch), isByCall: reason == .closedByCall,
        isByUser: reason == .dismissed)
    case .actionInvoked(let shown, let key, _):
      .pressed(number: shown.id, epoch: epoch(shown.epoch), key: key, button(key))
    }
  }

  static func login(_ event: SleepEvent) -> OracleLogin {
    switch event {
    case .suspending(let cause): .goes(cause == .sleep ? .sleep : .shutdown)
    case .locked(let isLocked, let isChange, _): isLocked ? .isLocked(now: isChange) : .isUnlocked
    case .otherLogind: .isAnother
    default: .isBack
    }
  }

  static func event(_ event: RunEvent) -> OracleEvent {
    OracleEvent(
      kind: kind(event.kind), step: event.step, elapsed: Int(event.elapsed.nanoseconds),
      target: event.target.map { Int($0.nanoseconds) }, at: moment(event.at))
  }

  private static func kind(_ kind: RunEvent.Kind) -> OracleEvent.Kind {
    switch kind {
    case .runStart: .runStart
    case .stepStart: .stepStart
    case .half: .half
    case .remaining(let left): .remaining(Int(left.nanoseconds))
    case .goal: .goal
    case .reminder(let number): .reminder(number)
    case .overtime: .overtime
    case .paused(let cause): .pause(cause.flatMap { OracleSuspend.Cause(rawValue: $0.rawValue) })
    case .resumed: .resume
    case .extended: .extend
    case .returned: .return
    case .stepEnd(let outcome): .stepEnd(isCompleted: outcome == .completed)
    case .ended(.finished): .runEnd
    case .ended(.stopped), .ended(.lost): .stop
    }
  }

  /// Returns a reading in the form of the oracle; the name of a boot has its number.
  static func moment(_ reading: ClockReading) -> OracleMoment {
    OracleMoment(
      wall: Int(reading.wall.microseconds), boot: Int(reading.boot.nanoseconds),
      boots: Int(reading.bootID.dropFirst("boot ".count)) ?? -1)
  }

  private func button(_ key: String) -> ScenarioCommand {
    switch key {
    case "done": .next
    case "pause": .pause
    case "resume": .resume
    case "count": .resumeCounting
    case "skip": .skip
    default: .extend(30_000_000 / scenario.quantum)
    }
  }

  private func fault(_ failure: DesktopFailure) -> OracleNews.Fault {
    switch failure {
    case .noBus: .noBus
    case .noServer, .noScreen, .notStarted: .noServer
    case .notAnswering: .notAnswering
    case .otherServer: .otherServer
    case .calledOff: .calledOff
    case .unknownOutcome: .unknownOutcome
    case .refused(let name, _): name.hasSuffix(".MaxNotificationsExceeded") ? .excess : .refused
    }
  }

  private func epoch(_ epoch: ServerEpoch) -> Int {
    Int(epoch.rawValue.split(separator: ".").last ?? "") ?? -1
  }
}

struct ScenarioDefinition {
  let sequence: Int
  let quantum: Int

  func definition(_ one: ScenarioSequence) -> SequenceDefinition {
    var cards = 0
    return SequenceDefinition(
      id: id(Oracle.sequenceID(sequence)), title: "Sequence \(sequence)",
      elements: elements(one.elements, &cards),
      onSuspend: one.away == .continue ? nil : SuspendPolicy(rawValue: one.away.rawValue),
      onLock: one.lock == .continue ? nil : SuspendPolicy(rawValue: one.lock.rawValue))
  }

  private func elements(_ elements: [ScenarioElement], _ cards: inout Int) -> [SequenceElement] {
    elements.map { element in
      switch element {
      case .group(let rounds, let inner):
        return .group(
          Group(rounds: rounds.map { .times($0) } ?? .forever, elements: self.elements(inner, &cards)))
      case .card(let card):
        defer { cards += 1 }
        return .card(
          Card(
            id: id(Oracle.cardID(cards, of: sequence)), title: "Card \(cards)", timing: timing(card.kind),
            laterRounds: card.later.map(laterRounds), atLeast: card.least.map(duration),
            atMost: card.most.map(duration), skipsLastRound: card.skipsLastRound,
            insist: insistence(card.kind)))
      }
    }
  }

  private func timing(_ kind: ScenarioCard.Kind) -> Timing {
    switch kind {
    case .automatic(let ticks): .countdown(duration(ticks), advance: .automatic)
    case .manual(let ticks, _): .countdown(duration(ticks), advance: .manual)
    case .open: .countUp(goal: nil)
    case .goal(let ticks, let reminders, let cadence):
      .countUp(goal: Goal(duration: duration(ticks), reminders: reminders, cadence: duration(cadence)))
    }
  }

  private func laterRounds(_ later: ScenarioCard.Later) -> LaterRounds {
    switch later {
    case .lengths(let lengths): .lengths(lengths.map(duration))
    case .adding(let ticks): .adding(duration(ticks))
    }
  }

  private func insistence(_ kind: ScenarioCard.Kind) -> Duration? {
    guard case .manual(_, let insist?) = kind else { return nil }
    return duration(insist)
  }

  private func duration(_ ticks: Int) -> Duration { .microseconds(ticks * quantum) }

  private func id(_ text: String) -> UUID {
    guard let id = UUID(uuidString: text) else { preconditionFailure("\(text) is no id") }
    return id
  }
}
