import Foundation
import TestSupport
import Testing

/// Agents killed at every point of their work.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct AgentDeathTests {
  /// Whether Thread Sanitizer makes programs slow, so that only some of the deaths are tried.
  private let isBrief = patience > 1

  @Test func `a thousand agents killed at work lose nothing and leave nothing behind`() throws {
    var deaths: [MortalAgents.Death: Int] = [:]
    func finish(_ agents: MortalAgents, _ manner: String) throws {
      let outcome = try agents.finish()
      #expect(outcome.vanished == [], "\(manner)")
      #expect(outcome.losses == [], "\(manner)")
      #expect(outcome.crowds == [], "\(manner)")
      #expect(outcome.left == [], "\(manner)")
      #expect(outcome.open == [], "\(manner)")
      deaths.merge(agents.deaths, uniquingKeysWith: +)
    }

    let agents = try MortalAgents(manner: "unknown-replace keep")
    // The first calls change the store, and the second talk to the bus, so all of them are tried. The other
    // calls receive replies and pass them between threads.
    for (kinds, step) in [("pwrite64,fdatasync", 1), ("sendmsg", 1), ("recvmsg", 4), ("write", 8)] {
      try agents.killBeforeEachCall(of: kinds, step: isBrief ? 10 : step)
    }
    try finish(agents, "each call")
    for manner in ["unknown-replace keep", "only-sender on", "strict-close on", "signals sender"] {
      let agents = try MortalAgents(manner: manner)
      for _ in 0..<(isBrief ? 3 : 45) { try agents.killAtEachPoint() }
      try finish(agents, manner)
    }

    deaths[.resting] = nil
    #expect(deaths.values.reduce(0, +) >= (isBrief ? 80 : 1000), "\(deaths)")
    for death in MortalAgents.Death.allCases where death != .resting {
      #expect(deaths[death, default: 0] >= (isBrief ? 5 : 50), "\(death): \(deaths)")
    }
  }

  /// A notification with an unconfirmed id cannot be found again, because only the server knows the id.
  @Test func `a server with ids of its own keeps at most one notification per agent killed while showing`()
    throws
  {
    let agents = try MortalAgents(manner: "unknown-replace new")
    for _ in 0..<(isBrief ? 3 : 10) { try agents.killAtEachPoint() }
    let outcome = try agents.finish()
    let unheard = agents.deaths[.awaitingAnswer, default: 0] + agents.deaths[.recordingShown, default: 0]
    #expect(outcome.left.count <= unheard)
    #expect(outcome.vanished == [])
    #expect(outcome.losses == [])
    #expect(outcome.open == [])
  }
}
