/// The model of correct behavior, in its simplest form.
///
/// It counts ticks, walks over lists, and shares no code with the program.
struct Oracle {
  let quantum: Int
  /// The time between preparation and due time, in nanoseconds.
  let preparation: Int
  let sequences: [OracleSequence]

  /// The wall clock in microseconds, the boot clock in nanoseconds, and the number of previous boots.
  var wall: Int { now.wall }
  var boot: Int { now.boot }
  var boots: Int { now.boots }
  private(set) var now = OracleMoment(wall: 1_790_000_000_000_000, boot: 1_000_000_000_456, boots: 0)

  /// The run as stored; `ticking` is the run advanced to the current time.
  private(set) var stored: OracleRun?
  private(set) var ticking: OracleRun?
  /// Whether nobody has read the running run in this boot.
  private(set) var isUnanchored = false
  private var runs = 0
  private(set) var archive: [OracleRun] = []

  var rows: [OracleRow] = []
  /// The notifications that have no row yet; `nil` without any.
  var ahead: OracleAhead?
  let horizon: Int
  var agent: OracleAgent?
  var isForeground = false
  var dispatcher = OracleDispatcher()

  init(_ scenario: Scenario) {
    quantum = scenario.quantum
    preparation = scenario.preparation * scenario.quantum * 1000
    horizon = scenario.horizon
    // Agents also wait for servers that hang.
    let (ticks, commands) = (
      2 * scenario.length + 600_000_000 / quantum, 8 * scenario.events.count + 2 * horizon + 8
    )
    sequences = scenario.sequences.map { OracleSequence($0, ticks: ticks, commands: commands) }
  }

  // MARK: - Time

  mutating func pass(_ ticks: Int) {
    now.wall += ticks * quantum
    now.boot += ticks * quantum * 1000
    guard !isUnanchored, ticking != nil else { return }
    for _ in 0..<ticks { ticking?.tick() }
  }

  mutating func setWall(by ticks: Int) { now.wall += ticks * quantum }

  mutating func reboot(after ticks: Int) {
    now = OracleMoment(wall: wall + ticks * quantum, boot: 5_000_000_123, boots: boots + 1)
    endAgent()
    if let stored {
      ticking = stored
      isUnanchored = !stored.isPaused || stored.isAway
    }
  }

  // MARK: - The run

  /// The current state of the run; `nil` if none is active.
  var current: OracleRun? {
    let run = isUnanchored ? stored.map(found) : ticking
    return run?.endedAt == nil ? run : nil
  }

  /// Writes the changes that reading the run causes.
  mutating func settle() {
    guard let run = isUnanchored ? stored.map(found) : ticking else { return }
    if run.endedAt != nil {
      addLast(at: run.steps.count)
      end(run)
      plan([], for: run.sequence, keepsDue: true)
    } else if isUnanchored {
      write(run)
      if run.suspend == nil { anchor(run) } else { ask(run) }
    }
  }

  /// Moves pending notifications to this boot; cleared or shown ones do not return.
  private mutating func anchor(_ run: OracleRun) {
    addLast(at: run.index)
    let pending = Set(rows.filter { $0.state == .pending }.map(\.name))
    let requests = requests(of: run)
    let before = ahead
    plan(requests.filter { pending.contains($0.name) }, for: run.sequence, keepsDue: true)
    ahead = before?.moved(to: requests, at: boot)
  }

  /// Executes a change as of an earlier moment of this boot.
  mutating func asOf(_ moment: OracleMoment, _ body: (inout Oracle) -> Void) {
    let present = now
    now = moment
    body(&self)
    now = present
  }

  mutating func write(_ run: OracleRun) {
    (stored, ticking, isUnanchored) = (run, run, false)
  }

  mutating func end(_ run: OracleRun) {
    archive.append(run)
    (stored, ticking, isUnanchored) = (nil, nil, false)
  }

  /// Starts a run; returns the name of the error if it is refused.
  mutating func start(_ sequence: Int, isReplacing: Bool) -> String? {
    settle()
    if current != nil {
      guard isReplacing else { return "runActive" }
      _ = perform(.stop, step: nil)
    }
    let run = OracleRun(number: runs, of: sequences[sequence], sequence, quantum: quantum, at: now)
    runs += 1
    write(run)
    withdraw(run.sequence)
    planFirst(requests(of: run), for: run.sequence)
    prune()
    return nil
  }

  /// Applies a command; returns the name of the error if it is refused.
  mutating func perform(_ command: ScenarioCommand, step: Int?, run meant: Int? = nil) -> String? {
    settle()
    guard var run = current else { return "noActiveRun" }
    if let meant, meant != run.number { return "runPassed" }
    if let step, step != run.index { return "stepPassed" }
    if let refusal = run.perform(command, at: now) { return refusal }
    if run.endedAt == nil { write(run) } else { end(run) }
    withdraw(run.sequence)
    planFirst(requests(of: run), for: run.sequence)
    if command == .resumeCounting, let end = run.endedAt { addEnd(of: run, at: end) }
    prune()
    return nil
  }

  /// Plans the end of a run that is over because a suspend counts.
  private mutating func addEnd(of run: OracleRun, at end: Int) {
    guard run.endlessAfter == nil else { return }
    add(
      OracleRow(
        number: 0, sequence: run.sequence, name: "sequence.\(Oracle.sequenceID(run.sequence)).finished",
        isRunEnd: true, run: run.number, step: run.steps.count, source: run.steps.count - 1, dueWall: end,
        dueBoot: boot + (end - wall) * 1000, boot: boots))
  }
}
