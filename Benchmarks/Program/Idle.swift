import SequenceRunner
import TestSupport

/// The cost of an idle hour-long countdown.
///
/// All programs count down at the same time. System calls are counted afterwards, because tracing affects the
/// program.
enum Idle: Benchmark {
  static let name = "idle"
  private static let window = Duration.seconds(60)
  private static let callWindow = Duration.seconds(20)

  private struct Cost {
    let processorTime, switches, calls: Figure
    let resident, proportional: Figure
  }

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let peers = try Resting.peers(workplace)
    let (agent, display) = try Resting.ours(workplace)
    pause(.seconds(8))
    let costs = try costs(of: [agent, display] + peers)
    try tell(agent.name, costs[0], beside: zip(peers, costs[2...]), report, isIdle: true)
    try tell(display.name, costs[1], beside: zip(peers, costs[2...]), report, isIdle: false)
  }

  private static func costs(of all: [Resting]) throws -> [Cost] {
    let before = try all.map { try ProcessFigures(of: $0.process) }
    pause(window)
    let after = try all.map { try ProcessFigures(of: $0.process) }
    let memory = try all.map { try ProcessMemory(of: $0.process) }
    let directory = try TemporaryDirectory()
    let counts = try all.map { try CallCount(of: $0.process, in: directory) }
    pause(callWindow)
    let calls = try counts.map { try $0.end() }
    return all.indices.map { index in
      Cost(
        processorTime: .nanoseconds(after[index].processorTime - before[index].processorTime),
        switches: .count(after[index].switches(since: before[index])), calls: .count(calls[index]),
        resident: .kibibytes(memory[index].resident), proportional: .kibibytes(memory[index].proportional))
    }
  }

  private static func tell(
    _ name: String, _ ours: Cost, beside peers: some Sequence<(Resting, Cost)>,
    _ report: (Row) throws -> Void,
    isIdle: Bool
  ) throws {
    for (peer, other) in peers {
      func row(
        _ what: String, _ figure: (Cost) -> Figure, _ goal: Row.Goal? = nil
      ) throws {
        try report(Row("\(name): \(what)", figure(ours), beside: peer.name, figure(other), goal: goal))
      }
      let nothing = isIdle ? Row.Goal.limit(.count(0)) : nil
      try row("processor time in \(window.components.seconds) s", \.processorTime, nothing)
      try row("wake-ups in \(window.components.seconds) s", \.switches, nothing)
      try row("system calls in \(callWindow.components.seconds) s", \.calls, nothing)
      try row("memory, Rss", \.resident)
      try row("memory, Pss", \.proportional, .ratio(1))
    }
  }
}
