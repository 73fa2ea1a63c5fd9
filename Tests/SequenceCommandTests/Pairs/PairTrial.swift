import Foundation
import Glibc
import TestSupport

/// A scenario run with the built programs and the model; differences are kept with the commands before them.
final class PairTrial {
  let scenario: PairScenario
  let tool: Tool
  private let login: RecordingServer?
  private let bus: PrivateBus?
  var model = PairModel()
  private var script: [String] = []
  private var differences: [String] = []
  /// `run` in the background, and the number of its events that were read.
  private var follower: ChildProcess?
  private var readEvents = 0
  /// The timer besides the run, and whether its notification is pending.
  var company: (isActive: Bool, isPlanned: Bool) = (false, false)
  /// The ids by the numbers of the cards, and that of the sequence as number 0.
  var identifiers: [Int: String] = [:]

  /// - Parameter session: the address of a bus with a notification server.
  init(_ scenario: PairScenario, session: String) throws {
    self.scenario = scenario
    if scenario.isAboutSuspend {
      let own = try PrivateBus()
      tool = try Tool(bus: session, system: own.address)
      login = try RecordingServer(asLogindOn: own, state: tool.state)
      bus = own
    } else {
      tool = try Tool(bus: session)
      (login, bus) = (nil, nil)
    }
  }

  /// Returns the differences, each with the commands before it; empty without differences.
  func findings() throws -> [String] {
    do {
      try perform()
    } catch {
      differ("\(error)")
    }
    guard !differences.isEmpty else { return [] }
    return ["\(scenario)\n" + (script + differences.map { "    " + $0 }).joined(separator: "\n")]
  }

  private func perform() throws {
    try write()
    try reachSituation()
    try check()
    try act()
    try check()
    try followUp()
    try check()
    if model.run != nil {
      try command(.stop, ["stop"])
      try check()
    }
    try checkHistory()
    try checkFollower()
    try checkCompany()
  }

  func differ(_ text: String) { differences.append(text) }

  func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { differ(text()) } }

  // MARK: - Doing

  private var library: String { tool.directory.path + "/.local/share/sequence" }

  private func write() throws {
    let manager = FileManager.default
    for folder in [library, tool.directory.path + "/.config/sequence"] {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    _ = try tool.directory.write(scenario.text, to: "pairs.yaml")
    _ = try tool.directory.write(scenario.text, to: ".local/share/sequence/pairs.yaml")
    if !scenario.configuration.isEmpty {
      _ = try tool.directory.write(scenario.configuration, to: ".config/sequence/config.yaml")
    }
  }

  var source: [String] {
    let file =
      scenario.source == .library
      ? "pairs" : scenario.source == .standardInput ? "-" : tool.directory.path + "/pairs.yaml"
    var words = [file]
    switch scenario.rounds {
    case .asWritten: break
    case .forever: if scenario.shape == .flat { words += ["--rounds", "forever"] }
    case .once: words += ["--rounds", "1"]
    case .thrice: words += ["--rounds", "3"]
    }
    switch scenario.without {
    case .nothing: break
    case .title: words += ["--without", "Other"]
    case .id: words += ["--without", identifiers[5] ?? "Other"]
    }
    return words
  }

  private var cues: [String] {
    switch scenario.cues {
    case .absent, .configured: []
    case .none: ["--cues", "none"]
    case .all: ["--cues", "sound,speech"]
    }
  }

  func now() -> Double { Date().timeIntervalSince1970 }

  /// Runs a command line, and returns its times.
  func run(_ words: [String], input: String? = nil) throws -> (
    output: ChildProcess.Output, at: PairSpan
  ) {
    script.append("sequence " + words.joined(separator: " "))
    let before = now()
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words, environment: tool.environment, input: input,
      within: .seconds(60))
    return (output, PairSpan(before, now()))
  }

  func json(_ words: String...) throws -> (document: [String: Any], at: PairSpan) {
    let (output, at) = try run(words + ["--json"])
    return (try document(output), at)
  }

  func document(_ output: ChildProcess.Output) throws -> [String: Any] {
    let value = try? JSONSerialization.jsonObject(with: Data(output.text.utf8))
    guard let document = value as? [String: Any] else { throw TestSupportError("no document: \(output)") }
    return document
  }

  private func reachSituation() throws {
    try checkCheck()
    guard scenario.situation != .none else { return }
    if scenario.company == .timer { try startCompany() }
    try start()
    try waitForTarget()
    switch scenario.situation {
    case .none, .running, .manual, .goal, .open: break
    case .paused: try command(.pause, ["pause"])
    case .lastStep:
      while let run = model.run, run.index + 1 < run.steps.endlessAfter ?? run.steps.count {
        try command(.skip, ["skip"])
      }
    case .afterAShortStep, .overtime, .pastGoal: break
    case .pausedInOvertime, .pausedPastGoal: try command(.pause, ["pause"])
    case .asleep, .returned, .returnedFromShutdown: try suspend()
    }
  }

  /// Starts a timer, which is in the way of no sequence, and closes its terminal.
  private func startCompany() throws {
    script.append("sequence timer 2h Tea")
    let timer = try ChildProcess(
      BuiltProducts.path(of: "sequence"), ["timer", "2h", "Tea"], environment: tool.environment)
    _ = try timer.line()
    timer.signal(SIGHUP)
    _ = try timer.outcome()
    company = (true, true)
  }

  /// Waits for the end or the target of a short step.
  private func waitForTarget() throws {
    while model.isAboutToReach {
      let index = model.run?.index
      try waitUntil { document in
        document["state"] as? String == "overtime"
          || (document["step"] as? [String: Any]).flatMap(self.number) != index
      }
      model.reach()
    }
    try readFollower()
  }

  private func start() throws {
    let input = scenario.source == .standardInput ? scenario.text : nil
    let steps = PairElement.steps(scenario.chosen)
    switch scenario.starter {
    case .start, .startJSON, .startPaused, .replace:
      if scenario.starter == .replace {
        let before = PairElement.steps([.card(PairCard(number: 8, title: "Before", timing: .automatic(60)))])
        let (output, at) = try run(["start", "--card", "Before 1m"])
        expect(output.status == 0, "start: \(output)")
        model.start(before, at: at)
      }
      let flags: [PairScenario.Starter: [String]] = [
        .startJSON: ["--json"], .startPaused: ["--paused"], .replace: ["--replace"],
      ]
      let (output, at) = try run(["start"] + source + cues + (flags[scenario.starter] ?? []), input: input)
      guard output.status == 0 else { throw TestSupportError("start: \(output)") }
      if scenario.starter == .replace { model.replace(at: at) }
      model.start(steps, at: at)
      if scenario.starter == .startJSON { compare(try document(output), at: at, "the answer of start") }
      if scenario.starter == .startPaused {
        _ = model.perform(.pause, at: at)
        compare(try json("status").document, at: at, "the status of a paused start")
        try command(.resume, ["resume"])
      }
    case .run, .runJSON:
      let words = ["run"] + source + cues + (scenario.starter == .runJSON ? ["--json"] : [])
      script.append("sequence " + words.joined(separator: " ") + " &")
      let before = now()
      let child = try ChildProcess(BuiltProducts.path(of: "sequence"), words, environment: tool.environment)
      follower = child
      if let input { try child.write(input) }
      try child.endInput()
      // Its first output appears when the run has been started.
      let first = try child.line()
      model.start(steps, at: PairSpan(before, now()))
      if scenario.starter == .runJSON { try compareEvent(first) }
    }
  }

  /// Waits until the status satisfies a condition.
  private func waitUntil(_ holds: ([String: Any]) -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let document = try json("status").document
      if holds(document) { return }
      guard ContinuousClock.now < deadline else {
        throw TestSupportError("it does not come to that: \(document)")
      }
    }
  }

  private func suspend() throws {
    guard let login else { return }
    let word = scenario.situation == .returnedFromShutdown ? "shutdown" : "sleep"
    _ = try login.next("inhibit") { $0.key == "sleep:shutdown" }
    script.append("# \(word) on")
    let before = now()
    try login.tell("\(word) on")
    let released = try login.next("released") { $0.text == "paused" }
    _ = released
    let isBack = scenario.situation != .asleep
    model.leave(at: PairSpan(before, now()), isBack: isBack)
    try readFollower()
    guard isBack else { return }
    script.append("# \(word) off")
    try login.tell("\(word) off")
    try waitUntil { ($0[PairTerms.suspend] as? [String: Any])?["length"] != nil }
    model.comeBack()
    try readFollower()
  }

  private func act() throws {
    var words: [String]
    switch scenario.command {
    case .pause, .resume, .toggle, .next, .skip, .back, .restart, .stop: words = [scenario.command.rawValue]
    case .count: words = ["resume", PairTerms.countSuspend]
    case .lengthen: words = ["extend", "10m"]
    case .shorten: words = ["extend", "-5s"]
    case .clear: words = ["notifications", "clear", "--all"]
    case .start: words = ["start", "--card", "Again 1h"]
    case .replace: words = ["start", "--card", "Again 1h", "--replace"]
    }
    var isMeant = true
    let isActing = ![.start, .replace, .clear].contains(scenario.command)
    if isActing, let run = model.run {
      switch scenario.stepOption {
      case .absent: break
      case .current: words += ["--step", "\(run.index + PairTerms.firstStep)"]
      case .wrong:
        words += ["--step", "\(run.index + 1 + PairTerms.firstStep)"]
        isMeant = false
      }
    }
    if scenario.output == .json { words.append("--json") }
    try command(scenario.command, words, isMeant: isMeant)
  }

  private func followUp() throws {
    // It would mean the timer.
    guard !company.isActive || model.run != nil else { return }
    switch scenario.followUp {
    case .next: try command(.next, ["next"])
    case .skip: try command(.skip, ["skip", "--json"])
    case .toggle: try command(.toggle, ["toggle", "--json"])
    case .lengthen: try command(.lengthen, ["extend", "PT10M"])
    case .back: try command(.back, ["back"])
    case .clear: try command(.clear, ["notifications", "clear", "--all", "--json"])
    }
  }

  /// Runs a command, and applies it to the model.
  private func command(_ command: PairScenario.Command, _ words: [String], isMeant: Bool = true) throws {
    let (output, at) = try run(words)
    let isStarting = command == .replace || command == .start && model.run == nil
    let isDone: Bool
    switch (command, isStarting) {
    case (_, true):
      if model.run != nil { _ = model.perform(.replace, at: at) }
      try readFollower()
      model.start(
        PairElement.steps([.card(PairCard(number: 9, title: "Again", timing: .automatic(3600)))]), at: at)
      isDone = true
    case (.clear, _):
      company.isPlanned = false
      _ = model.perform(.clear, at: at)
      isDone = true
    default: isDone = isMeant && model.perform(command, at: at)
    }
    expect(
      output.status == (isDone ? 0 : 1),
      "\(words): exit status \(output.status), \(output.text)\(output.errors)")
    // A start may also report missing programs for its cues.
    expect(
      isDone ? isStarting || output.errors.isEmpty : !output.errors.isEmpty, "\(words): \(output.errors)")
    if isDone, command != .clear, words.last == "--json" {
      compare(try document(output), at: at, "the answer of \(words)")
    }
    try waitForTarget()
  }

  // MARK: - Reading events

  /// Reads the expected events of `run --json`, so that each is read before the next one happens.
  private func readFollower() throws {
    guard let follower, scenario.starter == .runJSON else { return }
    while readEvents < model.events.count, !isFollowerDone { try compareEvent(follower.line()) }
  }

  private var isFollowerDone: Bool { endOfFollowed != nil && readEvents >= (endOfFollowed ?? 0) }
  /// The number of events after which the followed run had ended.
  private var endOfFollowed: Int?

  private func compareEvent(_ line: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let expected = readEvents < model.events.count ? model.events[readEvents] : "nothing"
    expect(value?["event"] as? String == expected, "run: \(line), and not \(expected)")
    if expected == PairTerms.extend, let target = model.run?.target {
      let step = value?["step"] as? [String: Any]
      let found = (step?["duration"] ?? step?["goal"]) as? Double ?? -1
      expect(target.contains(found), "run: \(line), and not \(target)")
    }
    readEvents += 1
    if [PairTerms.stop, PairTerms.finish].contains(expected) { endOfFollowed = readEvents }
  }

  private func checkFollower() throws {
    guard let follower else { return }
    let outcome = try follower.outcome()
    guard let first = model.history.last else {
      return differ("run has ended, and the run has not: \(outcome)")
    }
    expect(
      outcome.status == (first.ending == .finished ? 0 : 3),
      "run: exit status \(outcome.status), \(outcome.errors)")
    if scenario.starter == .runJSON { expect(outcome.text.isEmpty, "run: \(outcome.text) after all") }
  }
}
