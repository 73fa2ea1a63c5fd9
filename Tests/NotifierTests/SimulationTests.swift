import NotifierLedger
import SequenceRunner
import Simulation
import Synchronization
import TestSupport
import Testing

/// The whole program in random scenarios, compared with an oracle after each event.
@Suite(.timeLimit(.minutes(5)))
struct SimulationTests {
  @Test
  func `hundreds of scenarios show no difference and cover every end of notifications and machines`()
    async throws
  {
    let seen = Seen()
    // Thread Sanitizer does not support the contended path of a Mutex, and reports a race for the protected
    // data.
    let (scenarios, workers) = Sanitizer.isUsed ? (60, 1) : (300, 2)
    let failure = try await Trials(seed: 2026, scenarios: scenarios, workers: workers).firstFailure(
      tampering: {
        seen.record($0)
      })
    #expect(failure == nil, "see simulate --seed \(failure ?? 0) --scenarios 1")
    let unseen = Set(LedgerEntry.State.allCases.map(\.rawValue)).subtracting(seen.states)
    #expect(Sanitizer.isUsed || unseen == [], "not seen: \(unseen)")
    #expect(Sanitizer.isUsed || seen.causes == [.sleep, .shutdown, .lock, .powerLoss])
  }

  @Test(.disabled(if: Sanitizer.isUsed, "it would take what a Mutex guards for a race"))
  func `the assignment of scenarios to workers does not change the findings`() async throws {
    for workers in 1...3 {
      let trials = Trials(seed: 26, scenarios: 40, workers: workers)
      let found = try await trials.firstFailure(tampering: Self.losesTheLast)
      #expect(found == Self.firstWithTwoToCome)
    }
  }

  @Test func `a missing notification is found, and its scenario shrunk to one start`() throws {
    let scratch = try Scratch()
    let scenario = ScenarioGenerator.scenario(seed: Self.firstWithTwoToCome)
    #expect(scenario.events.count > 5)
    let shrunk = try #require(
      Shrinking.shrunk(scenario) { World.difference(in: $0, scratch, tampering: Self.losesTheLast) })
    #expect(shrunk.difference.subject == "the notifications")
    // A card that insists has more than one notification.
    #expect(shrunk.scenario.events == [.start(ScenarioStart(sequence: 0), process: 0)])
    #expect(World.difference(in: shrunk.scenario, scratch) == nil)
  }

  @Test func `a notification that is due a nanosecond late is found`() throws {
    let scenario = try Scenario(text: "sequence 10 20\nstart 0 0\nwait 3\ncommand 1 pause\n")
    let scratch = try Scratch()
    #expect(World.difference(in: scenario, scratch) == nil)
    let difference = World.difference(in: scenario, scratch) { $0.delayPending() }
    #expect(difference?.subject == "the due time of 1 by the boot clock")
    #expect(difference?.place == "event 1, start 0 0")
  }

  @Test func `an event that time brings a nanosecond late is found`() throws {
    let scenario = try Scenario(text: "sequence 10 20\nstart 0 0\nwait 3\n")
    let scratch = try Scratch()
    #expect(World.difference(in: scenario, scratch) == nil)
    let difference = World.difference(in: scenario, scratch) { $0.delayNextEvent() }
    #expect(difference?.subject == "the next events")
    #expect(difference?.place == "event 1, start 0 0")
  }

  @Test(arguments: [("approach 20", "presenting"), ("approach 20\ncommand 1 pause\nrun", "cancelled")])
  func `a notification prepared before its time waits for it and is cancelled`(events: String, state: String)
    throws
  {
    let scenario = try Scenario(text: "preparation 3\nsequence 10 20\nstart 0 0\nagent\n\(events)\n")
    let last = Mutex("")
    #expect(
      World.difference(in: scenario, try Scratch()) { seen in last.withLock { $0 = seen.rows[0].state } }
        == nil)
    #expect(last.withLock { $0 } == state)
  }

  @Test(arguments: [
    ("pause", "away sleep\nrun\npass 60\nback\nrun", SuspendCause.sleep, 4),
    ("ask", "away off\nrun\nreboot 60\nagent\nrun", .shutdown, 4),
    // The power loss was not signaled, and the clock was started 4 s before.
    ("pause", "reboot 60\nagent\nrun", .powerLoss, 0),
    ("pause", "pass 6\nrun", nil, 10),
    ("continue", "away sleep\nrun\npass 6\nback\nrun", nil, 10),
    ("pause", "away sleep\nrun\npass 60\nback\nrun\ncommand 0 resume", nil, 4),
    ("ask", "away sleep\nrun\npass 6\nback\nrun\ncommand 0 count", nil, 10),
    ("ask", "away off\nrun\nreboot 5\nagent\nrun\nwait 1\npress 0 1 closing\nrun", nil, 10),
  ])
  func `a machine is suspended and resumed`(
    policy: String, events: String, cause: SuspendCause?, elapsed: Int
  ) throws {
    let policy = policy == "continue" ? "" : policy
    let scenario = try Scenario(text: "sequence \(policy) 40\nstart 0 0\nagent\nrun\nwait 4\n\(events)\n")
    let last = Mutex<Observation?>(nil)
    #expect(World.difference(in: scenario, try Scratch()) { seen in last.withLock { $0 = seen } } == nil)
    #expect(last.withLock { $0?.runs.first?.suspend?.cause } == cause)
    #expect(last.withLock { $0?.runs.first?.position.elapsed } == .seconds(elapsed))
  }

  @Test func `what a notification proves of the last boot is not purged before its run continues`() throws {
    // A card that insists has so many reminders that the notification about its end is purged, because the clock was
    // set back; the same clock says after the reboot that no time has passed.
    let scenario = try Scenario(
      text: """
        quantum 500000
        numbers kept
        preparation 0
        horizon 970
        sequence 1!21
        sequence 1
        sequence 1
        sequence forever-x( 64 )
        start 0 0
        start 3 0 beside
        agent
        command 0 stop run 0
        wait 1
        wall -2
        dismiss 0
        run
        reboot 1
        agent

        """)
    #expect(World.difference(in: scenario, try Scratch()) == nil)
  }

  @Test func `a reminder that the wall clock puts off again stands for none before it`() throws {
    let scenario = try Scenario(
      text: """
        quantum 37000
        numbers kept
        preparation 0
        horizon 1
        sequence 324!5400
        sequence 1!
        start 0 0
        start 1 0 beside
        pass 12346
        command 0 skip run 0
        reboot 0
        wall -1223
        start 0 0

        """)
    #expect(World.difference(in: scenario, try Scratch()) == nil)
  }

  /// An observer who never looks away sees these events, whose order is not obvious.
  @Test(arguments: [
    // The pause comes before the end of the step that ends in it.
    (
      "10 20", "pass 3\ncommand 0 pause\npass 5\ncommand 0 next",
      "pause 1, step-end 1, step-start 2"
    ),
    ("10", "command 0 pause\ncommand 0 resume\npass 5\nread 1", "pause 1, resume 1, half 1"),
    // Half of the step has passed before it is paused at that moment, and does not pass again.
    ("10!", "pass 5\ncommand 0 pause\ncommand 0 resume\npass 1", "half 1, pause 1, resume 1"),
    // A step ends before the command at the same moment.
    ("2 20", "pass 2\ncommand 0 extend 5", "half 1, remaining 1, step-end 1, step-start 2, extend 2"),
    (
      "20 20", "command 0 next\ncommand 0 back\ncommand 0 restart",
      "step-end 1, step-start 2, step-start 1, step-start 1"
    ),
    ("20", "command 0 stop", "step-end 1, stop 1"),
    ("20", "command 0 next", "step-end 1, run-end 1"),
    // A step is shortened to its elapsed time.
    ("20 20", "pass 4\ncommand 0 extend -16", "extend 1, step-end 1, step-start 2"),
    ("20!", "pass 4\ncommand 0 extend -16", "extend 1, overtime 1"),
    (
      "goal:20:1:1", "pass 4\ncommand 0 pause\ncommand 0 extend -16\ncommand 0 resume",
      "pause 1, extend 1, goal 1, resume 1"
    ),
    (
      "20 20", "pass 4\ncommand 0 pause\ncommand 0 extend -16\npass 5\ncommand 0 resume",
      "pause 1, extend 1, resume 1, step-end 1, step-start 2"
    ),
    // Half of the longer step.
    ("10", "pass 6\ncommand 0 extend 10\npass 5", "half 1, extend 1, half 1, remaining 1"),
    // A suspend that counts brings what time would have brought.
    (
      "pause 4 20", "agent\nrun\naway sleep\nrun\npass 5\nback\nrun\ncommand 0 count",
      "pause 1, return 1, resume 1, remaining 1, half 1, remaining 1, remaining 1, step-end 1, step-start 2"
    ),
    // After a power loss nothing is certain after the last sign of life.
    ("pause 20", "pass 12\nread 1\nreboot 5\nlook 0", "pause 1, return 1"),
    // The wall clock was set back over a reboot, but the hook for the step has run.
    (
      "20 30", "hooks 0:step-start:3\nagent\nrun\nwait 25\nwall -500\nreboot 5\nlook 0\npass 20",
      "half 1, remaining 1, remaining 1, remaining 1, remaining 1, step-end 1, step-start 2, half 2, remaining 2"
    ),
  ])
  func `the events of a run are in the order in which they happen`(
    sequence: String, events: String, expected: String
  ) throws {
    let scenario = try Scenario(text: "sequence \(sequence)\nstart 0 0\n\(events)\n")
    let found = try World.events(of: scenario, try Scratch())
    #expect(found.prefix(2) == ["run-start 1", "step-start 1"])
    #expect(found.dropFirst(2).joined(separator: ", ") == expected)
  }

  @Test func `a suspend without a signal is found`() throws {
    let scenario = try Scenario(
      text: "sequence ask 10\nstart 0 0\nagent\nrun\naway sleep\nrun\npass 5\nback\nrun\n")
    let difference = World.difference(in: scenario, try Scratch()) {
      for index in $0.runs.indices { $0.runs[index].suspend = nil }
    }
    #expect(difference?.subject == "the cause of the pause")
    #expect(difference?.place == "event 5, run")
  }

  /// Scenarios that differed once.
  @Test(arguments: [
    // Setting the clock after the return from the suspend changed the counted time.
    "sequence pause open\nstart 0 0\nreboot 1\nagent\nrun\nwall 1\ncommand 0 count\n",
    // Time after a command during a suspend was counted twice.
    "sequence ask 1! 9\nstart 0 0\nagent\nwait 1\naway sleep\npass 1\ncommand 0 next\nrun\ncommand 0 count\n",
    // The agent that repeated the end of a run did not know that the run had ended before the power loss.
    "preparation 3\nsequence pause 10\nstart 0 0\nagent\napproach 10\npass 3\nturns 2\nreboot 5\nagent\nrun\n",
    // The button of the visible notification was given to the one that a killed agent was to show in its place.
    "preparation 2\nsequence 2x( 2 ) goal:1:1:900\nstart 0 0\nagent\nwait 2\n"
      + "pass 2\ndie lost\nagent\npress 0 1 closing\nrun\n",
    // Resuming a run that a reboot had paused ended it, because the time between two boots counted.
    "sequence pause 1\nstart 0 0\nreboot 1\nagent\nrun\nreboot 1\ncommand 0 resume\n",
    // A goal that an extension had reached was read twice.
    "sequence goal:40:1:3601\nstart 0 0\ncommand 0 extend -40\n",
    // Counted time over a reboot was compared with the wall clock at each reading.
    "sequence pause 1\nstart 0 0\nagent\nrun\naway sleep\nback\nrun\nwall -1\nreboot 1\ncommand 0 count\npass 1\n",
    // The end of a step without time was not read before the first reader after a reboot had settled the run.
    "quantum 234375\nsequence 80 43\nstart 0 0\ncommand 0 extend -80\npass 1\nreboot 1\n",
    // A display that began at the end of a step without time did not read that end.
    "sequence goal:3:1:701 10 1\nstart 0 0\ncommand 0 next\ncommand 0 extend -10\nattach 0\n",
    // A run that ended with counted time had no activity in it.
    "sequence pause 1\nstart 0 0\nagent\nrun\naway sleep\nrun\npass 1\ncommand 0 count\n",
    // A hook ran for an event of an earlier boot.
    "sequence 1\nhooks 0:step-end:1\nstart 0 0\nreboot 1\nagent\nrun\n",
    // A pause was dated before a command that had counted a suspend.
    "sequence ask 40\nstart 0 0\nagent\nrun\nwait 4\naway sleep\nrun\npass 5\naway sleep\npass 1\ncommand 0 count\nrun\n",
    // A run that ended with counted time of an earlier boot hid the command from a hook.
    "quantum 37000\nsequence pause 1\nhooks 0:resume:3\nstart 0 0\nreboot 1\ncommand 0 count\nagent\nturns 1\n",
    // The wall clock was set between the starts of two runs, of which one began its suspend at a wrong time.
    "sequence pause 9\nsequence 9\nstart 1 0\nstart 0 0 beside\nwall 1\nreplace 1 0\nreboot 1\nlook 0\n",
    // The pauses of one suspend were in another order than the starts of their runs.
    "sequence pause 1\nstart 0 0\nstart 0 0 timer\nagent\nrun\naway sleep\nrun\npass 1\nback\nrun\n",
    // A hook missed the return of a run because the pause of another one was dated into the boot before.
    "sequence pause 1\nhooks 0:return:3\nstart 0 0\nstart 0 0 timer\nreboot 1\nagent\nrun\n",
    // The plans of two runs were continued in any order.
    "horizon 1\nsequence 1 1\nsequence 1\nstart 0 0\nstart 1 0 beside\nstart 0 0 timer\nagent\nwait 2\n",
    // The anchor of a counted suspend, dated before its command, was taken for the last sign of life.
    "quantum 1000007\nsequence pause 2\nstart 0 0\nreboot 1\nagent\nrun\nwall 1\ncommand 0 count\nreboot 0\n",
    // A suspend was dated before the end of a run that had been found before that of another one.
    "quantum 500000\nsequence 1\nsequence pause 2x( 41 )\nstart 1 0 timer\npass 35\nstart 0 0\nstart 1 0 beside\n"
      + "agent\nrun\naway sleep\npass 47\n",
    // A notification was planned for a time that the clock had not reached any more, and cancelled at once.
    "quantum 46875\nhorizon 1\nsequence 1\nsequence 1\nsequence 1 1 1\nstart 2 0 timer\npass 2\nstart 0 0\n"
      + "reboot 0\nwall -1\nstart 0 0\n",
    // Events of a boot before that of the reader's position were read after those of another run.
    "sequence ask 1\nstart 0 0\nreboot 1\nagent\nrun\npress 0 1 staying\nread 1\nstart 0 0 timer\nrun\nreboot 1\n",
    // The command that ended a run in the past was no sign of life for the oracle.
    "sequence pause 9\nsequence pause 1\nstart 0 0\nstart 1 0 beside\nagent\nrun\naway sleep\nback\nrun\n"
      + "press 0 1 staying\nrun\npress 0 0 staying\nrun\npass 2\ncommand 0 count\nreboot 1\n",
    // A clock set back after a reboot: a notification that stands for others is still to come.
    "quantum 1000000\nnumbers kept\npreparation 1\nhorizon 1\nsequence forever-x( 33 )\nstart 0 0\nwall 1797\n"
      + "reboot 0\nstart 0 0\nwall -100\npass 56\nagent\nwait 28\n",
    // The entry of a notification that the server had refused to close was purged while it was visible.
    "quantum 500000\nhorizon 1883\nsequence 1\nsequence forever-x( 42 )\nstart 1 0\nkeep 5\nagent\nwait 42\n"
      + "command 0 next\nwait 14\ncommand 0 stop\n",
    // A run that ended when its suspend was counted was compared with the runs of before, and not as it had become.
    "quantum 500000\nhorizon 1\nsequence 2\nsequence pause 1\nstart 0 0\nstart 1 0 beside yielding\nstart 1 0 timer\n"
      + "start 0 0 timer\nstart 1 0 timer\nreboot 1\ncommand 0 count run 3\ncommand 0 extend -1\n",
    // A run that was named since an end is the one that the next command means.
    "quantum 46875\nhorizon 1\nsequence 1\nsequence 1\nstart 0 0\nstart 1 0 beside yielding\ncommand 0 stop\n"
      + "command 0 pause run 0\ncommand 0 resume\n",
    // The calculated end of a run, of before the clock was set, was taken for the last sign of life.
    "quantum 1000000\nhorizon 1\nsequence pause 1 60 2\nsequence pause goal:1:1:901\nstart 0 0\npass 32\nagent\n"
      + "away sleep\nrun\nstart 1 0 beside\npass 31\nwall 1\ncommand 0 count run 1\nreboot 1\n",
    // A suspend that counted over two reboots had an event in the boot between, which was taken for a later one.
    "quantum 500000\nsequence pause 1\nsequence 1\nsequence pause 2\nstart 0 0\nstart 2 0 beside\n"
      + "start 2 0 cards beside\nreboot 1\nstart 0 0\nreboot 1\nagent\ncommand 0 resume run 2\nrun\naway sleep\n"
      + "command 0 count run 0\nreboot 1\n",
  ])
  func `scenarios that differed once do not differ again`(script: String) throws {
    #expect(World.difference(in: try Scenario(text: script), try Scratch()) == nil)
  }

  /// Rules about several runs, whose results the oracle has and no random scenario is needed for.
  @Test(arguments: [
    // A second press after the end of the current run.
    "sequence 9\nstart 0 0\nstart 0 0 timer\ncommand 0 stop\npass 1\ncommand 0 stop\npass 1\ncommand 0 pause\n",
    // The run that ends is not the current one, and a start ends the doubt.
    "sequence 9\nsequence 2\nstart 0 0\nstart 1 0 timer\npass 2\ncommand 0 pause\nstart 1 0 timer\n"
      + "command 0 stop\nstart 1 0\ncommand 0 pause\n",
    // Timers of one title, of one name, and replaced by name.
    "sequence 9\nstart 0 0 timer\nstart 0 0 timer\nstart 0 0 timer named sequence-0\nreplace 0 0 timer\n"
      + "start 0 0 timer named Tea\ncommand 0 pause\n",
    // Sequences beside each other, the same one again, and cards.
    "sequence 9\nsequence 8\nstart 0 0\nstart 1 0\nstart 1 0 beside\nstart 0 0 beside\nreplace 0 0\n"
      + "start 0 0 cards beside named tea\nstart 0 0 cards beside named tea\nreplace 1 0 cards named tea\n",
    // A display of one run doesn't hide the notifications of another one.
    "sequence 4\nsequence 5\nstart 0 0 timer\nagent\nrun\nforeground on\nstart 1 0\nwait 6\n",
  ])
  func `several runs are started, commanded and shown as the oracle expects`(script: String) throws {
    #expect(World.difference(in: try Scenario(text: script), try Scratch()) == nil)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a printed scenario parses as the same scenario`(seed: UInt64) throws {
    let scenario = ScenarioGenerator.scenario(seed: seed)
    #expect(try Scenario(text: scenario.description) == scenario)
  }

  @Test func `an invalid script is refused with the line`() {
    #expect(throws: ScenarioTextError.self) { try Scenario(text: "sequence 10\nstrat 0 0\n") }
    #expect(throws: ScenarioTextError.self) { try Scenario(text: "sequence 3x( 10\n") }
    #expect(throws: ScenarioTextError.self) { try Scenario(text: "start 0 0\n") }
  }

  private final class Seen: Sendable {
    private let seenStates = Mutex<Set<String>>([])
    private let seenCauses = Mutex<Set<SuspendCause>>([])
    var states: Set<String> { seenStates.withLock { $0 } }
    var causes: Set<SuspendCause> { seenCauses.withLock { $0 } }
    func record(_ observation: Observation) {
      seenStates.withLock { $0.formUnion(observation.rows.map(\.state)) }
      seenCauses.withLock { $0.formUnion(observation.runs.compactMap(\.suspend?.cause)) }
    }
  }

  /// The first seed from 17 on in whose scenario two notifications of one plan are to come.
  private static let firstWithTwoToCome: UInt64 = 27

  @Sendable private static func losesTheLast(_ observation: inout Observation) {
    observation.loseLastPending(ofAtLeast: 2)
  }
}
