import NotificationLedger
import Simulation
import Synchronization
import TestSupport
import Testing

/// The whole program in random lives, compared with an oracle after each event.
@Suite(.timeLimit(.minutes(5)))
struct SimulationTests {
  @Test func `in some hundred lives nothing differs, and notifications come to every end that there is`()
    async throws
  {
    let seen = SeenStates()
    // Thread Sanitizer does not see into the contended path of a Mutex, and takes what it guards for a race.
    let (lives, workers) = Sanitizer.isUsed ? (60, 1) : (300, 2)
    let failure = try await Trials(seed: 2026, lives: lives, workers: workers).firstFailure(tampering: {
      seen.note($0)
    })
    #expect(failure == nil, "see simulate --seed \(failure ?? 0) --lives 1")
    #expect(Sanitizer.isUsed || seen.states == Set(LedgerEntry.State.allCases.map(\.rawValue)))
  }

  @Test(.disabled(if: Sanitizer.isUsed, "it would take what a Mutex guards for a race"))
  func `which worker lives a life makes no difference to what is found`() async throws {
    for workers in 1...3 {
      let trials = Trials(seed: 7, lives: 40, workers: workers)
      let found = try await trials.firstFailure(tampering: Self.losesTheLast)
      #expect(found == Self.firstWithTwoToCome)
    }
  }

  @Test func `a notification that is not there is found, and the life shrunk to a start`() throws {
    let scratch = try Scratch()
    let life = LifeGenerator.life(seed: Self.firstWithTwoToCome)
    #expect(life.events.count > 5)
    let shrunk = try #require(
      Shrinking.shrunk(life) { World.difference(in: $0, scratch, tampering: Self.losesTheLast) })
    #expect(shrunk.difference.subject == "the notifications")
    #expect(shrunk.life.events == [.start(sequence: 0, isReplacing: false, process: 0)])
    #expect(World.difference(in: shrunk.life, scratch) == nil)
  }

  @Test func `a notification that is due a nanosecond late is found`() throws {
    let life = try Life(text: "sequence 10 20\nstart 0 0\nwait 3\ncommand 1 pause\n")
    let scratch = try Scratch()
    #expect(World.difference(in: life, scratch) == nil)
    let difference = World.difference(in: life, scratch) { $0.delayPending() }
    #expect(difference?.subject == "when 1 is due by the boot clock")
    #expect(difference?.place == "event 1, start 0 0")
  }

  @Test(arguments: [("approach 20", "presenting"), ("approach 20\ncommand 1 pause\nrun", "cancelled")])
  func `what is made ready before its time waits for it, and is called off`(events: String, state: String)
    throws
  {
    let life = try Life(text: "preparation 3\nsequence 10 20\nstart 0 0\nagent\n\(events)\n")
    let last = Mutex("")
    #expect(
      World.difference(in: life, try Scratch()) { seen in last.withLock { $0 = seen.rows[0].state } } == nil)
    #expect(last.withLock { $0 } == state)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a life that is printed is read as the same`(seed: UInt64) throws {
    let life = LifeGenerator.life(seed: seed)
    #expect(try Life(text: life.description) == life)
  }

  @Test func `a script that means nothing is refused, with the line`() {
    #expect(throws: LifeTextError.self) { try Life(text: "sequence 10\nstrat 0 0\n") }
    #expect(throws: LifeTextError.self) { try Life(text: "sequence 3x( 10\n") }
    #expect(throws: LifeTextError.self) { try Life(text: "start 0 0\n") }
  }

  private final class SeenStates: Sendable {
    private let seen = Mutex<Set<String>>([])
    var states: Set<String> { seen.withLock { $0 } }
    func note(_ observation: Observation) {
      seen.withLock { $0.formUnion(observation.rows.map(\.state)) }
    }
  }

  /// The first seed from 7 on in whose life two notifications of one plan are to come.
  private static let firstWithTwoToCome: UInt64 = 9

  @Sendable private static func losesTheLast(_ observation: inout Observation) {
    observation.loseLastPending(ofAtLeast: 2)
  }
}
