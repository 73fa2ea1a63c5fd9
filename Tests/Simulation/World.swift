import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequencePlanning
import SequenceNotifications
import SequenceRunner
import SequenceStore

/// The program and the oracle in a scenario.
///
/// Every event is applied to both, and they are compared.
package final class World {
  let scenario: Scenario
  let scratch: Scratch
  let desktop: SimulatedDesktop
  var oracle: Oracle
  var courier: Courier?
  var keeper: SuspendMonitor?
  var notifications: RunNotifications?
  var isLocked = false
  var login: SimulatedLogin?
  /// The requested wake-up of the agent, in nanoseconds of the boot clock.
  var wake: Int?
  var eventReader: EventReader?
  let turnStatus = TurnStatus()
  var configuration = Configuration()
  var followers = [EventFollower](repeating: EventFollower(), count: World.readers)
  private var timelines: [Timeline] = []
  var runIDs: [UUID] = []
  private var archived = 0
  private var display: Display?
  private let tampering: (inout Observation) -> Void

  /// The ids of sequences that were not in the scenario, as the program writes them, in the order of their first runs.
  private var derivedIDs: [UUID] = []
  private var derivedNames: [Substring: String] = [:]

  /// The lock of a live display of a run that has the keyboard focus.
  private final class Display {
    private let lock: FileLock
    init(_ directory: StateDirectory, of run: UUID) throws {
      lock = try FileLock(path: directory.foregroundLockPath)
      guard try lock.share(DisplayedRuns.region(of: run)) else {
        throw Difference("the lock", expected: "free", found: "taken")
      }
    }
  }

  final class TurnStatus { var status: RunStatus? }

  private init(_ scenario: Scenario, _ scratch: Scratch, _ tampering: @escaping (inout Observation) -> Void)
    throws
  {
    (self.scenario, self.scratch, self.tampering) = (scenario, scratch, tampering)
    desktop = SimulatedDesktop(keepsNumbers: scenario.keepsNumbers, scratch.clock)
    oracle = Oracle(scenario)
    try scratch.reset(scenario.horizon)
    timelines = try scenario.sequences.enumerated().map {
      try Timeline(ScenarioDefinition(sequence: $0, quantum: scenario.quantum).definition($1))
    }
  }

  /// Returns whether a sequence has steps, and no endless round that is too short, which shrinking could leave.
  private static func canRun(_ sequence: ScenarioSequence, _ quantum: Int) -> Bool {
    guard case .group(nil, let round)? = sequence.elements.last else {
      return !OracleStep.all(sequence.elements).isEmpty
    }
    let steps = OracleStep.all([.group(rounds: nil, elements: round)])
    let length = steps.reduce(0) { $0 + ($1.target ?? 0) } * quantum
    return length >= 1_000_000 || steps.contains { !$0.endsByItself }
  }

  /// Runs a scenario.
  ///
  /// - Parameter tampering: changes an observation, to check that a difference is found.
  /// - Returns: the first difference between the program and the oracle; `nil` if there is none.
  package static func difference(
    in scenario: Scenario, _ scratch: Scratch, tampering: @escaping (inout Observation) -> Void = { _ in }
  ) -> Difference? {
    // A sequence without steps cannot run.
    guard !scenario.sequences.isEmpty, scenario.sequences.allSatisfy({ canRun($0, scenario.quantum) })
    else {
      return nil
    }
    var place = "before the first event"
    do {
      let world = try World(scenario, scratch, tampering)
      for (index, event) in scenario.events.enumerated() {
        place = "event \(index + 1), \(event)"
        try world.happen(event)
        try world.check()
      }
      place = "the end"
      try world.checkHistory()
      try world.checkReaders()
      return nil
    } catch var difference as Difference {
      difference.place = place
      return difference
    } catch {
      var difference = Difference("an error", expected: "none", found: "\(error)")
      difference.place = place
      return difference
    }
  }

  /// - Throws: the first difference between the program and the oracle.
  package static func events(of scenario: Scenario, _ scratch: Scratch) throws -> [String] {
    let world = try World(scenario, scratch, { _ in })
    for event in scenario.events {
      try world.happen(event)
      try world.check()
    }
    try world.checkReaders()
    return world.oracle.happenings.map { "\($0.event.kind.name) \($0.event.step + 1)" }
  }

  // MARK: - What happens

  private func happen(_ event: ScenarioEvent) throws {
    switch event {
    case .start(var start, let process):
      start.sequence %= timelines.count
      try self.start(start, by: scratch.processes[process % 3])
    case .command(let command, let step, let run, let process):
      try perform(command, step, on: run, by: scratch.processes[process % 3])
    case .look(let process):
      _ = try scratch.processes[process % 3].settle()
      oracle.settle()
    case .clear(let sequence, let process):
      try clear(sequence % oracle.identities.count, by: scratch.processes[process % 3])
    case .configure(let hooks): configure(hooks)
    case .read(let reader): try readNow(reader)
    case .forget(let reader): forget(reader % followers.count)
    case .attach(let process): try attach(in: scratch.processes[process % 3])
    case .clearCard(let sequence, let card, let process):
      try clear(sequence % oracle.identities.count, card: card, by: scratch.processes[process % 3])
    case .pass(let ticks): pass(ticks)
    case .wait(let ticks): try wait(ticks)
    case .approach(let ticks): try wait(ticks, untilReady: true)
    case .setWall(let ticks):
      scratch.clock.setWall(by: .microseconds(ticks * scenario.quantum))
      oracle.setWall(by: ticks)
      try courier?.clockWasSet(at: scratch.clock.now())
    case .reboot(let ticks): reboot(after: max(0, ticks))
    case .goesAway(let isOff): try tellAgent(.suspending(isOff ? .shutdown : .sleep))
    case .comesBack: try tellAgent(.back)
    case .otherLogind: try tellAgent(.otherLogind)
    case .screen(let isLocked): try lock(isLocked)
    case .agent: try beginAgent()
    case .run: try rest()
    case .turns(let count): for _ in 0..<count where try turn() == false { break }
    case .die(let isCarriedOut): endAgent(isCarriedOut: isCarriedOut)
    case .foreground(let isOn): try show(isOn)
    case .serverGoes: desktop.endServer()
    case .serverComes: desktop.beginServer()
    case .busCloses: desktop.closeBus()
    case .busOpens(let isSame): desktop.openBus(isSame: isSame)
    case .refuse(let count, let isExcess): desktop.refuse(count, isExcess: isExcess)
    case .refuseClosing(let count): desktop.refuseClosing(count)
    case .silence(let count, let isCarriedOut): desktop.fallSilent(count, isCarriedOut: isCarriedOut)
    case .answer: desktop.answer()
    case .dismiss(let place): desktop.take(place, .dismissed)
    case .expire(let place): desktop.take(place, .expired)
    case .press(let place, let button, let isClosing):
      // Thirty seconds are not a whole number of every tick.
      desktop.press(place, button: button, isClosing: isClosing) {
        $0 != "extend" || 30_000_000 % scenario.quantum == 0
      }
    }
  }

  private func start(_ start: ScenarioStart, by store: RunStore) throws {
    var refusal: String?
    var run: ActiveRunSnapshot?
    do {
      var choices = RunStart(
        source: RunSource(rawValue: start.source.rawValue) ?? .file, name: start.name, beside: start.isBeside,
        replacing: start.isReplacing, firstStep: start.step, paused: start.isPaused,
        until: start.deadline.map {
          store.clock.now().wall.advanced(by: .microseconds($0 * scenario.quantum))
        })
      choices.isYielding = start.isYielding
      run = try store.start(timelines[start.sequence], choices).run
    } catch let error as RunError {
      refusal = World.name(of: error)
    }
    try compare("the refusal of a start", oracle.start(start), refusal)
    guard let run, let known = oracle.runs.last else { return }
    runIDs.append(run.runID)
    try compare("the name of a run", known.name, run.name)
    let place = known.sequence - timelines.count
    if place == derivedIDs.count {
      derivedIDs.append(run.sequence.id)
      derivedNames[run.sequence.id.uuidString[...]] = Oracle.sequenceID(known.sequence)
    }
    try compare("the id of the sequence of \(known.name)", id(ofSequence: known.sequence), run.sequence.id)
    try compare(
      "the number of sequences with that id", 1,
      oracle.identities.indices.count { id(ofSequence: $0) == run.sequence.id })
  }

  private func id(ofSequence place: Int) -> UUID {
    place < timelines.count ? timelines[place].definition.id : derivedIDs[place - timelines.count]
  }

  /// Called for each notification at each moment, so no id is compared with all others.
  private func name(_ identifier: String) -> String {
    var parts = identifier.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let name = derivedNames[parts[1]] else { return identifier }
    parts[1] = name[...]
    return parts.joined(separator: ".")
  }

  private func perform(
    _ command: ScenarioCommand, _ step: Int?, on back: Int?, by store: RunStore
  ) throws {
    let run = back.map { runIDs.count - 1 - $0 }
    if let run, !runIDs.indices.contains(run) { return }
    var refusal: String?
    do {
      _ = try store.perform(
        World.command(command, quantum: scenario.quantum), on: run.map { runIDs[$0] }, onStep: step)
    } catch let error as RunError {
      refusal = World.name(of: error)
    }
    try compare("the refusal of \(command)", oracle.perform(command, step: step, run: run), refusal)
  }

  /// Gives the keyboard focus to a display of the current run, if none has it, or takes it away.
  private func show(_ isOn: Bool) throws {
    guard isOn else {
      (display, oracle.foreground) = (nil, nil)
      return
    }
    guard display == nil, let current = oracle.current else { return }
    display = try Display(scratch.directory, of: runIDs[current.number])
    oracle.foreground = current.number
  }

  private func clear(_ sequence: Int, card: Int? = nil, by store: RunStore) throws {
    let id = id(ofSequence: sequence)
    let cardID = card.map { Oracle.cardID($0, of: sequence % timelines.count) }
    let scope =
      try cardID.map {
        guard let card = UUID(uuidString: $0) else {
          throw Difference("the id of card \($0)", expected: "an id", found: "none")
        }
        return NotificationScope.card(card, ofSequence: id)
      } ?? .sequence(id)
    let counts = try store.database.transaction { () throws(StoreError) in
      try store.ledger.clearPlanned(scope, at: store.clock.now())
    }
    let expected = oracle.clear(sequence, card: cardID)
    try compare("the number of pending notifications", expected.pending, counts.pending)
    try compare("the number of visible notifications", expected.onScreen, counts.onScreen)
  }

  func pass(_ ticks: Int) {
    guard ticks > 0 else { return }
    scratch.clock.advance(by: .microseconds(ticks * scenario.quantum))
    oracle.pass(ticks)
  }

  private func reboot(after ticks: Int) {
    (courier, wake, display) = (nil, nil, nil)
    (keeper, notifications, login, eventReader) = (nil, nil, nil, nil)
    isLocked = false
    oracle.foreground = nil
    desktop.reboot()
    oracle.reboot(after: ticks)
    // Some seconds of the new boot have passed.
    scratch.clock.set(
      to: ClockReading(
        wall: scratch.clock.now().wall.advanced(by: .microseconds(ticks * scenario.quantum)),
        boot: .nanoseconds(5_000_000_123), bootID: "boot \(oracle.boots)"))
    restartReaders()
  }

  // MARK: - Comparison

  private func check() throws {
    var observation = try Observation(scratch.agent) { name($0) }
    tampering(&observation)
    try oracle.check(observation)
    // Reading the history settles the store, so another run may be in it afterwards.
    if archived < oracle.archive.count { oracle.settle() }
    while archived < oracle.archive.count {
      try check(oracle.archive[archived])
      archived += 1
    }
    try read(0, in: scratch.processes[0])
    try checkScreen()
  }

  private func check(_ run: OracleRun) throws {
    guard runIDs.indices.contains(run.number),
      let ended = try scratch.processes[0].endedRun(id: runIDs[run.number])
    else { throw Difference("run \(run.number)", expected: "in the history", found: "none") }
    try oracle.check(ended, is: run)
    let found = try scratch.processes[0].activity(of: ended).map {
      [Int($0.start.microseconds), Int($0.active.nanoseconds)]
    }
    let ends = run.intervals.dropFirst().map(\.before) + [run.activeBefore]
    let expected = zip(run.intervals, ends).map { [$0.start, $1 - $0.before] }
    try compare("the activity of run \(run.number)", expected, found)
  }

  private func checkHistory() throws {
    let history = try scratch.processes[1].history()
    oracle.settle()
    try compare("the runs in the history", oracle.archive.count, history.count)
    for run in oracle.archive { try check(run) }
  }
}
