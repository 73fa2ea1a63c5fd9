import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlanning
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Speech and sounds of runs, with manual clocks and scripts in place of the programs.
@Suite(.timeLimit(.minutes(1)))
struct CueTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore
  private let runner: HookRunner

  init() throws {
    directory = try TemporaryDirectory()
    store = try CompleteStore.open(in: StateDirectory(path: directory.path + "/state"), clock: clock)
    runner = HookRunner(
      HookEnvironment(
        EnvironmentVariables(["HOME": directory.path, "PATH": directory.path + "/bin:/usr/bin:/bin"]),
        state: store.directory), clock: clock)
  }

  /// Puts a script in place of a program, which records its last argument.
  private func standIn(for name: String, _ script: String) throws {
    let path = try directory.write("#!/bin/sh\n" + script + "\n", to: "bin/" + name)
    chmod(path, 0o700)
  }

  private func dispatcher(_ cues: Cues) -> EventDispatcher {
    var configuration = Configuration()
    configuration.cues = cues
    let sound = directory.path + "/bin/sequence-sound"
    return EventDispatcher(store: store, hooks: runner, soundProgram: sound, configuration: { configuration })
  }

  private func start(_ cards: (String, Timing)..., options: RunOptions = .unspecified) throws {
    let elements = cards.map { SequenceElement.card(Card(id: UUID(), title: $0.0, timing: $0.1)) }
    let definition = SequenceDefinition(
      id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil)
    _ = try store.start(try Timeline(definition), options: options, RunStart())
  }

  private let spoken = RunOptions(suspendPolicy: nil, sound: false, speech: true)

  private func seconds(_ seconds: Int) -> Timing { .countdown(.seconds(seconds), advance: .automatic) }

  /// Lets time pass while the dispatcher acts at its wake-ups.
  private func pass(_ time: Duration, _ dispatcher: EventDispatcher) throws {
    let end = clock.now().boot + time
    while true {
      try dispatcher.dispatch([], store.settle())
      while !runner.hasNothingToWaitFor {
        try dispatcher.dispatch(waitUntilReadable(runner.descriptors), store.settle())
      }
      let now = clock.now().boot
      guard now < end else { return }
      clock.advance(by: min(end, dispatcher.nextWake ?? end) - now)
    }
  }

  private func lines(_ name: String) -> [String] {
    let text = (try? String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `titles, half-time, the next step and the end are spoken in order`() throws {
    try standIn(for: "spd-say", #"echo "$*" >> "$HOME/said""#)
    let dispatcher = dispatcher(Cues(speech: true))
    try start(
      ("-Work", seconds(60)), ("Rest", seconds(5)), ("Write", .countUp(goal: Goal(duration: .seconds(30)))))
    try pass(.seconds(100), dispatcher)
    _ = try store.perform(.next)
    try pass(.zero, dispatcher)
    let words = [
      "-Work", "Half-time", "Next: Rest", "3", "2", "1", "Rest", "3", "2", "1", "Write",
      "Goal reached: Write",
      "Test is finished",
    ]
    #expect(lines("said") == words.map { "--application-name sequence --priority message --wait -- " + $0 })
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
  }

  @Test func `speech is not interrupted, and announcements that it delays too much are dropped`() throws {
    mkfifo(directory.path + "/gate", 0o600)
    try standIn(
      for: "spd-say", #"for word; do :; done; read line < "$HOME/gate"; echo "$word" >> "$HOME/said""#)
    let dispatcher = dispatcher(Cues(speech: true))
    try start(("A long name", seconds(60)), ("B", seconds(60)), ("C", seconds(60)))
    try dispatcher.dispatch([], store.settle())
    for _ in 0..<2 {
      _ = try store.perform(.next)
      try dispatcher.dispatch([], store.settle())
    }
    #expect(runner.descriptors.count == 1)
    let gate = open(directory.path + "/gate", O_RDWR)
    defer { close(gate) }
    try writeAll(Array("go\ngo\ngo\n".utf8), to: gate)
    try pass(.zero, dispatcher)
    #expect(lines("said") == ["A long name", "C"])
    #expect(try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min)) == [])
  }

  @Test func `speech that never ends is ended by the next title, which is said in time`() throws {
    mkfifo(directory.path + "/gate", 0o600)
    try standIn(
      for: "spd-say",
      #"for word; do :; done; echo "$word" >> "$HOME/said"; echo $$ >> "$HOME/started"; read l < "$HOME/gate""#
    )
    let dispatcher = dispatcher(Cues(speech: true, remaining: 0))
    defer { dispatcher.endAll() }
    let titles = ["One", "Two", "Three", "Four", "Five"]
    let cards = titles.map { ($0, seconds(5)) }
    try start(cards[0], cards[1], cards[2], cards[3], cards[4])
    let watch = try DirectoryWatch(path: directory.path)
    for number in 1...5 {
      try dispatcher.dispatch([], store.settle())
      // One that was ended may take a moment to exit.
      while lines("started").count < number || runner.descriptors.count > 2 {
        let ready = try waitUntilReadable([watch.descriptor] + runner.descriptors)
        try watch.drain()
        try dispatcher.dispatch(ready, store.settle())
      }
      #expect(lines("said").last == titles[number - 1])
      clock.advance(by: .milliseconds(2500))
      try dispatcher.dispatch([], store.settle())
      clock.advance(by: .milliseconds(2500))
    }
    // Half-time and the next title wait while a title is spoken, and are outdated by the next one.
    #expect(lines("said") == titles)
  }

  @Test func `a sound program that does not end is killed, and keeps no agent`() throws {
    mkfifo(directory.path + "/gate", 0o600)
    try standIn(for: "sequence-sound", #"trap '' TERM; read line < "$HOME/gate""#)
    let dispatcher = dispatcher(Cues(sound: true))
    try start(("A", seconds(100)))
    try dispatcher.dispatch([], store.settle())
    _ = try store.perform(.stop)
    try dispatcher.dispatch([], store.settle())
    #expect(try !dispatcher.hasNothingToWaitFor(store.peek()))
    #expect(dispatcher.nextWake.map { $0 - clock.now().boot } == .seconds(30))
    clock.advance(by: .seconds(30))
    try dispatcher.dispatch([], store.settle())
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
    let failures = try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min))
    #expect(failures.map(\.detail) == ["sequence-sound did not end"])
    try waitForEnd(of: dispatcher)
  }

  @Test
  func `sounds are ordered in advance, cancelled by a pause, and immediate for user actions`()
    throws
  {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues(sound: true, remaining: 2))
    try start(("A", seconds(30)), ("B", seconds(3)))
    let boot = clock.now().boot
    func at(_ seconds: Double, _ sound: String) -> String {
      "at \((boot + .milliseconds(Int(seconds * 1000))).nanoseconds) \(sound)"
    }
    try pass(.seconds(33), dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(
      lines("orders") == [
        "now message-new-instant", "clear", at(15, "bell"), at(28, "audio-volume-change"),
        at(29, "audio-volume-change"), at(30, "message-new-instant"), "clear", at(28, "audio-volume-change"),
        at(29, "audio-volume-change"), at(30, "message-new-instant"), "clear", at(31, "audio-volume-change"),
        at(32, "audio-volume-change"), at(33, "complete"), "clear", at(32, "audio-volume-change"),
        at(33, "complete"),
      ])
  }

  @Test(arguments: [false, true])
  func `the device is awake for words without a sound`(sound: Bool) throws {
    try standIn(for: "spd-say", "")
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues(sound: sound, speech: true, remaining: 1))
    try start(("A", seconds(30)), ("B", .countUp(goal: nil)))
    try dispatcher.dispatch([], store.settle())
    _ = try store.perform(.stop)
    let boot = clock.now().boot
    try pass(.zero, dispatcher)
    try waitForEnd(of: dispatcher)
    let sounds = sound ? ["bell", "audio-volume-change", "message-new-instant"] : ["none", "none", "none"]
    let expected = zip([15, 20, 29, 30], [sounds[0], "none", sounds[1], sounds[2]]).map {
      "at \((boot + .seconds($0)).nanoseconds) \($1)"
    }
    #expect(lines("orders").filter { $0.hasPrefix("at ") } == expected)
  }

  @Test func `words are spoken without the sound program, whose absence is no failure then`() throws {
    try standIn(for: "spd-say", #"for word; do :; done; echo "$word" >> "$HOME/said""#)
    let dispatcher = dispatcher(Cues(speech: true))
    try start(("A", seconds(5)), ("B", .countUp(goal: nil)))
    try pass(.seconds(5), dispatcher)
    #expect(lines("said") == ["A", "3", "2", "1", "B"])
    #expect(try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min)) == [])
  }

  @Test func `user actions are played at once, and a pause cancels pending sounds`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues(sound: true, remaining: 1))
    try start(("A", seconds(10)), ("B", .countUp(goal: nil)))
    try pass(.seconds(1), dispatcher)
    _ = try store.perform(.next)
    try pass(.seconds(1), dispatcher)
    _ = try store.perform(.pause)
    try pass(.seconds(1), dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(
      lines("orders").filter { $0.hasPrefix("now") } == Array(repeating: "now message-new-instant", count: 2))
    #expect(lines("orders").last == "now message-new-instant" || lines("orders").last == "clear")
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
  }

  @Test func `rests have a sound of their own, other sounds can be chosen, and none is silent`() throws {
    try standIn(for: "sequence-sound", #"echo "$*" >> "$HOME/started"; cat >> "$HOME/orders""#)
    var cues = Cues(sound: true, remaining: 0)
    cues.sounds = [.rest: "/a b/gong.oga", .step: "service-login", .finished: ""]
    cues.volume = 40
    let dispatcher = dispatcher(cues)
    try start(("A", seconds(5)), ("Rest", seconds(5)), ("B", seconds(5)))
    try pass(.seconds(15), dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(
      lines("started") == [
        "--volume 40 service-login /a b/gong.oga bell audio-volume-change alarm-clock-elapsed"
      ])
    let orders = lines("orders")
    #expect(orders.first == "now service-login")
    #expect(orders.contains { $0.hasPrefix("at ") && $0.hasSuffix(" /a b/gong.oga") })
    #expect(!orders.contains { $0.hasSuffix("complete") })
    // Without a sound of its own a rest begins like other steps.
    #expect(Cues().name(of: .rest) == "message-new-instant")
  }

  @Test func `a card has a sound of its own at its start, also none`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues(sound: true, remaining: 0))
    let cards = ["/a b/gong.oga", "", nil, "bell\nat 1 x"].map {
      SequenceElement.card(Card(id: UUID(), title: "A", timing: seconds(5), sound: $0))
    }
    let definition = SequenceDefinition(
      id: UUID(), title: "Test", elements: cards, onSuspend: nil, onLock: nil)
    _ = try store.start(try Timeline(definition))
    try pass(.seconds(20), dispatcher)
    try waitForEnd(of: dispatcher)
    let sounds = Set(lines("orders").compactMap { $0.split(separator: " ", maxSplits: 2).last })
    #expect(lines("orders").first == "now /a b/gong.oga")
    #expect(sounds == ["b/gong.oga", "message-new-instant", "complete", "clear"])
  }

  @Test func `a step that the user starts right before the end of the one before is heard`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues(sound: true, remaining: 0))
    try start(("A", seconds(10)), ("B", seconds(10)))
    try pass(.milliseconds(9990), dispatcher)
    _ = try store.perform(.next)
    try pass(.zero, dispatcher)
    _ = try store.perform(.stop)
    try pass(.zero, dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(
      lines("orders").filter { $0.hasPrefix("now") } == Array(repeating: "now message-new-instant", count: 2))
  }

  @Test func `sounds that cannot be played are one failure per run, and the run continues`() throws {
    try standIn(for: "sequence-sound", "echo 'sequence-sound: no sound server' >&2; exit 69")
    let dispatcher = dispatcher(Cues(sound: true))
    try start(("A", seconds(30)), ("B", seconds(30)))
    try dispatcher.dispatch([], store.settle())
    try waitForEnd(of: dispatcher)
    try pass(.seconds(60), dispatcher)
    let failures = try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min))
    #expect(failures.map(\.hook) == [HookFailure.sounds])
    #expect(failures.map(\.count) == [1])
    #expect(failures.map(\.detail) == ["sequence-sound: no sound server"])
  }

  @Test func `a sound program that reads no orders is a failure, and no order is truncated`() throws {
    mkfifo(directory.path + "/gate", 0o600)
    try standIn(for: "sequence-sound", #"echo $$ > "$HOME/process"; read line < "$HOME/gate""#)
    let dispatcher = dispatcher(Cues(sound: true, remaining: 60))
    defer { dispatcher.endAll() }
    try start(("A", seconds(100)))
    let watch = try DirectoryWatch(path: directory.path)
    try dispatcher.dispatch([], store.settle())
    while lines("process").isEmpty {
      _ = try waitUntilReadable([watch.descriptor])
      try watch.drain()
    }
    var failures: [HookFailure] = []
    for _ in 0..<150 where failures.isEmpty {
      _ = try store.perform(.extend(.seconds(1)))
      try dispatcher.dispatch([], store.settle())
      failures = try HookFailureLog(database: store.database).failures(since: Moment(microseconds: .min))
    }
    #expect(failures.map(\.hook) == [HookFailure.sounds])
    #expect(failures.map(\.kind) == [.failed])
    #expect(failures.map(\.detail) == ["sequence-sound does not read its orders"])
    dispatcher.endAll()
    // A process whose end nobody has collected still takes signals.
    #expect(kill(try #require(lines("process").first.flatMap { pid_t($0) }), 0) == -1)
  }

  @Test func `the end of a very short run is announced if its start requested cues`() throws {
    try standIn(for: "spd-say", #"for word; do :; done; echo "$word" >> "$HOME/said""#)
    let dispatcher = dispatcher(Cues())
    try start(("A", seconds(1)), options: spoken)
    clock.advance(by: .seconds(2))
    try pass(.zero, dispatcher)
    #expect(lines("said").last == "Test is finished")
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
  }

  private let ringing = RunOptions(suspendPolicy: nil, sound: nil, speech: nil, rings: true)

  /// The sounds that are ordered last, as seconds after a reading.
  private func ordered(since start: ClockReading) -> [Int] {
    let lines = lines("orders")
    return lines[(lines.lastIndex(of: "clear") ?? 0)...].compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "at", words[2] == "complete" else { return nil }
      return Int64(words[1]).map { Int((Duration.nanoseconds($0) - start.boot).components.seconds) }
    }
  }

  @Test func `an end that rings is ordered in advance without other sounds, for five minutes`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues())
    try start(("A", seconds(5)), ("B", seconds(5)), options: ringing)
    let start = clock.now()
    // The notification of a step wakes the agent.
    for _ in 0..<2 { try pass(.seconds(5), dispatcher) }
    #expect(dispatcher.nextWake == start.boot + .seconds(310))
    #expect(try !dispatcher.hasNothingToWaitFor(store.peek()))
    // It isn't woken for each sound.
    clock.advance(by: .seconds(299))
    try dispatcher.dispatch([], store.settle())
    #expect(try !dispatcher.hasNothingToWaitFor(store.peek()))
    clock.advance(by: .seconds(1))
    try dispatcher.dispatch([], store.settle())
    try waitForEnd(of: dispatcher)
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
    #expect(lines("orders").allSatisfy { $0 == "clear" || $0.hasSuffix(" complete") })
    #expect(lines("orders").contains("at \((start.boot + .seconds(10)).nanoseconds) complete"))
    #expect(lines("orders").contains("at \((start.boot + .seconds(300)).nanoseconds) complete"))
  }

  @Test func `an end rings until the user has seen it, and another agent continues it`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    var dispatcher = dispatcher(Cues())
    try start(("A", seconds(10)), options: ringing)
    let (start, run) = (clock.now(), try #require(try store.settle().run))
    try pass(.seconds(25), dispatcher)
    dispatcher.endAll()
    try FileManager.default.removeItem(atPath: directory.path + "/orders")
    dispatcher = self.dispatcher(Cues())
    try pass(.zero, dispatcher)
    clock.advance(by: .seconds(45))
    try store.seeEnd(of: run)
    try pass(.zero, dispatcher)
    try waitForEnd(of: dispatcher)
    // Neither the end itself nor a repetition that has passed.
    #expect(ordered(since: start) == Array(stride(from: 30, through: 300, by: 10)))
    #expect(dispatcher.nextWake == nil)
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
  }

  @Test(arguments: [false, true])
  func `a muted end doesn't ring`(byConfiguration: Bool) throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    var configuration = Configuration()
    if byConfiguration { configuration.sound = false }
    let dispatcher = EventDispatcher(
      store: store, hooks: runner, soundProgram: directory.path + "/bin/sequence-sound",
      configuration: { configuration })
    try start(("A", seconds(10)), options: ringing)
    if !byConfiguration { _ = try store.perform(.playSounds(false)) }
    try pass(.seconds(10), dispatcher)
    #expect(dispatcher.nextWake == nil)
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
    #expect(lines("orders").isEmpty)
  }

  @Test func `an end that is found late doesn't ring`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues())
    try start(("A", seconds(10)), options: ringing)
    clock.advance(by: .seconds(41))
    try pass(.zero, dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(ordered(since: clock.now()).isEmpty)
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
  }

  @Test func `sounds can be muted and played again during a run`() throws {
    try standIn(for: "sequence-sound", #"cat >> "$HOME/orders""#)
    let dispatcher = dispatcher(Cues())
    try start(
      ("A", seconds(60)), ("B", seconds(60)), ("C", seconds(60)),
      options: RunOptions(suspendPolicy: nil, sound: true, speech: nil))
    try pass(.zero, dispatcher)
    _ = try store.perform(.playSounds(false))
    _ = try store.perform(.next)
    try pass(.zero, dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(lines("orders").filter { $0.hasPrefix("now") } == ["now message-new-instant"])
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
    _ = try store.perform(.playSounds(true))
    _ = try store.perform(.next)
    try pass(.zero, dispatcher)
    _ = try store.perform(.stop)
    try pass(.zero, dispatcher)
    try waitForEnd(of: dispatcher)
    #expect(
      lines("orders").filter { $0.hasPrefix("now") } == Array(repeating: "now message-new-instant", count: 2))
  }

  @Test func `a run keeps the cues of its start, and the next run has those of the configuration`() throws {
    try standIn(for: "spd-say", #"echo "$*" >> "$HOME/said""#)
    let dispatcher = dispatcher(Cues())
    try start(("A", seconds(5)), options: spoken)
    try pass(.seconds(5), dispatcher)
    let count = lines("said").count
    #expect(count == 5)
    try start(("B", seconds(5)))
    try pass(.seconds(5), dispatcher)
    #expect(lines("said").count == count)
    #expect(try dispatcher.hasNothingToWaitFor(store.peek()))
  }

  @Test(arguments: [
    ("cues: { sound: true, speech: true, remaining: 5s }", Cues(sound: true, speech: true, remaining: 5)),
    ("cues: {}", Cues()), ("", Cues()),
    (
      "cues: { volume: 0, sounds: { rest: /a b.oga, run-end: none, step-start: bell } }",
      {
        var cues = Cues()
        (cues.volume, cues.sounds) = (0, [.rest: "/a b.oga", .finished: "", .step: "bell"])
        return cues
      }()
    ),
  ])
  func `cues are parsed`(text: String, cues: Cues) throws {
    #expect(try Configuration.parse(Array(text.utf8)).cues == cues)
  }

  @Test(arguments: [
    ("cues: { sound: maybe }", "1:16: the value must be true or false, not \"maybe\""),
    ("cues: { remaining: 1.5s }", "1:20: remaining must be in whole seconds, 60s at most, not \"1.5s\""),
    ("cues: { remaining: 2m }", "1:20: remaining must be in whole seconds, 60s at most, not \"2m\""),
    ("cues: { spech: true }", "1:9: unknown key \"spech\" in cues; did you mean speech?"),
    ("cues: { volume: 101 }", "1:17: volume must be a number from 0 to 100, not \"101\""),
    ("cues: { sounds: { rest: a/b.oga } }", "1:25: the path of a sound must begin with /, not \"a/b.oga\""),
    ("cues: { sounds: { rest: [] } }", "1:25: a sound must be a name, a path or none, not a list"),
    ("cues: true", "1:7: cues must have keys and values, but this is \"true\""),
  ])
  func `a mistake is reported with its position`(text: String, message: String) {
    let error = #expect(throws: SequenceFileError.self) { try Configuration.parse(Array(text.utf8)) }
    #expect(error?.message(inFile: "c") == "c:" + message)
  }

  @Test func `cues are parsed on the command line`() {
    #expect(Cues.named("none").map { [$0.sound, $0.speech] } == [false, false])
    #expect(Cues.named("sound,speech").map { [$0.sound, $0.speech] } == [true, true])
    #expect(Cues.named("speech").map { [$0.sound, $0.speech] } == [false, true])
    for text in ["", "loud", "sound,", "none,sound"] { #expect(Cues.named(text) == nil) }
  }

  private func waitForEnd(of dispatcher: EventDispatcher) throws {
    while !dispatcher.descriptors.isEmpty {
      try dispatcher.dispatch(waitUntilReadable(dispatcher.descriptors), store.settle())
    }
  }
}
