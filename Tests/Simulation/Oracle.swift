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

  /// The sequences of all runs: those of files as listed, then those of timers and cards in the order of their starts.
  private(set) var identities: [OracleIdentity]
  /// The active runs, in the order of their starts.
  private(set) var active: [OracleActiveRun] = []
  private var started = 0
  /// The ended runs, in the order in which that was noticed.
  private(set) var archive: [OracleRun] = []
  private var entries = 0
  private(set) var lastEntries: [Int: OracleMoment] = [:]
  /// The runs that have ended since one was started, and when.
  private var lastEnds: [(run: OracleRun, at: OracleMoment)] = []

  var rows: [OracleRow] = []
  /// The numbers of purged rows of notifications that the server refused to show or to close.
  var purgedFailures: Set<Int> = []
  var ahead: [Int: OracleAhead] = [:]
  let horizon: Int
  var agent: OracleAgent?
  var foreground: Int?
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
    identities = sequences.indices.map { .file($0) }
  }

  // MARK: - Time

  mutating func pass(_ ticks: Int) {
    now.wall += ticks * quantum
    now.boot += ticks * quantum * 1000
    for index in active.indices where !active[index].isUnanchored {
      for _ in 0..<ticks { active[index].ticking.tick() }
    }
  }

  mutating func setWall(by ticks: Int) {
    now.wall += ticks * quantum
    if agent != nil { followWall() }
  }

  mutating func reboot(after ticks: Int) {
    now = OracleMoment(wall: wall + ticks * quantum, boot: 5_000_000_123, boots: boots + 1)
    endAgent()
    for index in active.indices {
      let stored = active[index].stored
      active[index].ticking = stored
      active[index].isUnanchored = !stored.isPaused || stored.isAway
    }
  }

  // MARK: - The runs

  /// The active runs as they are now, in the order of their starts.
  var runs: [OracleRun] { active.map(present).filter { $0.endedAt == nil } }

  /// The current run: the sequence that was started last by the user, else the oldest that a schedule started and nobody
  /// named, else the oldest timer.
  var current: OracleRun? { Oracle.current(of: runs) }

  /// The active runs as they are listed: the current one first.
  var listed: [OracleRun] {
    let runs = runs
    guard let current = Oracle.current(of: runs) else { return [] }
    return [current] + runs.filter { $0.number != current.number }
  }

  /// Whether nobody has read a run in this boot.
  var isUnanchored: Bool { active.contains(where: \.isUnanchored) }

  private static func current(of runs: [OracleRun]) -> OracleRun? {
    runs.last { $0.source != .timer && !$0.isYielding } ?? runs.first { $0.source != .timer } ?? runs.first
  }

  /// Returns an active run as it is now; `nil` if it has ended.
  func run(_ number: Int) -> OracleRun? {
    active.first { $0.stored.number == number }.map(present).flatMap { $0.endedAt == nil ? $0 : nil }
  }

  /// Returns a run as it is now, even if it has ended and nobody has noticed that.
  func present(_ run: OracleActiveRun) -> OracleRun { run.isUnanchored ? found(run.stored) : run.ticking }

  /// Writes the changes that reading the runs causes.
  mutating func settle() {
    for index in active.indices { active[index].stored.upcoming = nextEntry() }
    // All are found before any is written: the last sign of life is one for all.
    let found = active.map { (run: present($0), reached: $0.isUnanchored ? reached($0.stored) : nil) }
    noteEnds(of: found.map(\.run).filter { $0.endedAt != nil })
    for (run, reached) in found {
      if run.endedAt != nil {
        endByTime(run)
      } else if let reached {
        write(run)
        if run.suspend == nil { anchor(run, reached: reached) } else { ask(run) }
      }
    }
  }

  /// The time that a run of another boot has reached, on the clock of that boot.
  private func reached(_ stored: OracleRun) -> Int {
    let passed = max(
      now.nanoseconds(since: stored.clock), lastSignOfLife(of: stored).nanoseconds(since: stored.clock))
    return stored.clock.boot + passed
  }

  mutating func endByTime(_ run: OracleRun) {
    addLast(at: run.steps.count, of: run)
    end(run)
    plan([], for: run.sequence, keepsDue: true)
  }

  /// Moves pending notifications to this boot; cleared or shown ones do not return.
  private mutating func anchor(_ run: OracleRun, reached: Int) {
    addLast(at: run.index, of: run, until: reached)
    let pending = Set(rows.filter { $0.state == .pending }.map(\.name))
    let requests = requests(of: run)
    let before = ahead[run.sequence]
    plan(requests.filter { pending.contains($0.name) }, for: run.sequence, keepsDue: true)
    ahead[run.sequence] = before?.moved(to: requests, at: boot)
  }

  mutating func asOf(_ moment: OracleMoment, _ body: (inout Oracle) -> Void) {
    let present = now
    now = moment
    body(&self)
    now = present
  }

  mutating func nextEntry() -> Int {
    entries += 1
    return entries
  }

  private mutating func noteEntry(at moment: OracleMoment) {
    if let last = lastEntries[moment.boots], last.boot > moment.boot { return }
    lastEntries[moment.boots] = moment
  }

  mutating func write(_ run: OracleRun) {
    noteEntry(at: run.changedAt)
    let changed = OracleActiveRun(stored: run, ticking: run)
    if let index = active.firstIndex(where: { $0.stored.number == run.number }) {
      active[index] = changed
    } else {
      active.append(changed)
    }
  }

  mutating func end(_ run: OracleRun) {
    if let last = run.events.last { noteEntry(at: last.at) }
    archive.append(run)
    active.removeAll { $0.stored.number == run.number }
  }

  mutating func noteEnds(of ended: [OracleRun]) {
    lastEnds += ended.compactMap { run in run.events.last.map { (run, $0.at) } }
  }

  /// Whether a run has just ended that would be the current one if it were still active.
  private var hasCurrentJustEnded: Bool {
    lastEnds.contains { run, end in
      let runs = (active.map(\.stored) + [run]).sorted { $0.number < $1.number }
      return end.boots == boots && boot - end.boot < Oracle.momentAfterEnd
        && Oracle.current(of: runs)?.number == run.number
    }
  }

  // MARK: - The user

  /// Starts a run; returns the name of the error if it is refused.
  mutating func start(_ start: ScenarioStart) -> String? {
    if let name = start.name, !Oracle.isName(name) { return "invalidName" }
    let sequence = sequences[start.sequence]
    guard (0..<(sequence.endlessAfter ?? sequence.steps.count)).contains(start.step) else {
      return "noSuchStep"
    }
    settle()
    // The run that is replaced is none of those before.
    let usual = OracleRun.usual(
      archive.filter { $0.source == start.source && $0.template == start.sequence }
        .sorted { ($0.startedAt, $0.endedAt ?? 0) > ($1.startedAt, $1.endedAt ?? 0) })
    if let refusal = refusal(ofDeadline: start, usual) { return refusal }
    let wanted = start.name ?? Oracle.name(of: "Sequence \(start.sequence)")
    let replaced: OracleRun?
    switch run(inTheWayOf: start, named: wanted) {
    case .success(let run): replaced = run
    case .failure(let refusal): return refusal.name
    }
    let taken = runs.filter { $0.number != replaced?.number }.map(\.name)
    if start.name != nil, taken.contains(wanted) { return "nameTaken" }
    if let replaced { _ = perform(.stop, step: nil, run: replaced.number) }
    let name = ([wanted] + (2...1 + taken.count + 1).map { "\(wanted)-\($0)" }).first { !taken.contains($0) }
    begin(start, named: name ?? wanted, usual)
    return nil
  }

  private func refusal(ofDeadline start: ScenarioStart, _ usual: [Int: Int]) -> String? {
    guard let deadline = start.deadline else { return nil }
    let sequence = sequences[start.sequence]
    guard sequence.endlessAfter == nil else { return "endlessUntil" }
    let longest = sequence.steps.dropFirst(start.step).reduce(0) { sum, step in
      let known = step.endsByItself ? nil : usual[step.card]
      return sum + (known ?? (step.bounds?.upperBound ?? step.target ?? 0) * quantum * 1000)
    }
    return deadline * quantum * 1000 - longest > 60_000_000_000 ? "tooEarly" : nil
  }

  private struct Refusal: Error { let name: String }

  private func run(inTheWayOf start: ScenarioStart, named name: String) -> Result<OracleRun?, Refusal> {
    let runs = runs
    let same = runs.first {
      start.source == .file ? $0.sequence == start.sequence : $0.source == start.source && $0.name == name
    }
    // Timers are in nobody's way, and only a timer of that name is replaced by one.
    if start.source == .timer { return .success(start.isReplacing ? same : nil) }
    if let same {
      if start.isReplacing { return .success(same) }
      if start.source == .file { return .failure(Refusal(name: "sequenceActive")) }
    }
    guard let other = Oracle.current(of: runs), other.source != .timer else { return .success(nil) }
    if start.isReplacing { return .success(other) }
    return start.isBeside ? .success(nil) : .failure(Refusal(name: "runActive"))
  }

  private mutating func begin(_ start: ScenarioStart, named name: String, _ usual: [Int: Int]) {
    let identity = start.source == .file ? OracleIdentity.file(start.sequence) : .named(start.source, name)
    if !identities.contains(identity) { identities.append(identity) }
    var run = OracleRun(
      number: started, of: sequences[start.sequence], start.sequence,
      as: identities.firstIndex(of: identity) ?? start.sequence, from: start.step, source: start.source,
      name: name, entry: nextEntry(), quantum: quantum,
      until: start.deadline.map { now.later(by: $0 * quantum * 1000) }, usual: usual, at: now)
    run.isYielding = start.isYielding
    if start.isPaused { run.waitForResume(entry: nextEntry(), at: now) }
    started += 1
    lastEnds = []
    write(run)
    withdraw(run.sequence)
    planFirst(requests(of: run), for: run.sequence)
    prune()
  }

  /// Returns the name of the error if the command is refused.
  ///
  /// - Parameter meant: the number of the run; `nil` for the current one.
  mutating func perform(_ command: ScenarioCommand, step: Int?, run meant: Int? = nil) -> String? {
    settle()
    guard let current else { return "noActiveRun" }
    guard var run = meant == nil ? current : run(meant ?? current.number) else { return "runPassed" }
    if meant == nil, hasCurrentJustEnded { return "justEnded" }
    if let step, step != run.index { return "stepPassed" }
    run.upcoming = nextEntry()
    if let refusal = run.perform(command, isNamed: meant != nil, at: now) { return refusal }
    if run.endedAt == nil {
      write(run)
    } else {
      // A suspend that counts ends it in the past, but the user learns that now.
      lastEnds.append((run, now))
      end(run)
      noteEntry(at: now)
    }
    withdraw(run.sequence)
    planFirst(requests(of: run), for: run.sequence)
    if command == .resumeCounting, let end = run.endedAt { addEnd(of: run, at: end) }
    prune()
    return nil
  }

  /// How long after the end of the current run a command has to name its run, in nanoseconds.
  private static let momentAfterEnd = 2_000_000_000

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

/// The sequence of a run: one of a file, or that of all timers or runs of cards with one name.
enum OracleIdentity: Equatable {
  case file(Int)
  case named(ScenarioSource, String)
}

struct OracleActiveRun {
  var stored: OracleRun
  var ticking: OracleRun
  /// Whether nobody has read the running run in this boot.
  var isUnanchored = false
}

extension Oracle {
  /// Returns the name that a run of a title has if it is free.
  static func name(of title: String) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    let name = words.joined(separator: "-").prefix(24)
    return name.isEmpty ? "run" : name.hasSuffix("-") ? String(name.dropLast()) : String(name)
  }

  static func isName(_ text: String) -> Bool { !text.isEmpty && name(of: text) == text }
}
