import Glibc
import TestSupport

/// The cost of commands, depending on the number of active runs.
enum SeveralRuns: Benchmark {
  static let name = "runs"
  private static let counts = [1, 2, 20]

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let tools = try counts.map { try tool(workplace, runs: $0) }
    func acting(_ command: String, _ body: @escaping (Tool) throws -> Duration) throws {
      let samples = try interleaved(20, tools.map { tool in { try body(tool) } })
      for (count, sample) in zip(counts, samples).dropFirst() {
        try report(
          Row("\(command), \(count) runs", sample.medianTime, beside: "1 run", samples[0].medianTime))
      }
    }
    try acting("status") { try $0.process("status").duration() }
    try acting("pause") { tool in
      let duration = try tool.process("pause", "bench").duration()
      try tool("resume", "bench")
      return duration
    }
    try acting("start") { tool in
      try tool("stop", "bench")
      // The agent of a single run ends with it, so each start begins a new one.
      if let agent = try tool.agent() { kill(agent, SIGKILL) }
      try tool.waitForEndOfAgent()
      return try tool.process("start", "--beside", "--name", "bench", "--card", "Work 1h").duration()
    }
  }

  /// Returns a tool with some runs, of which the last is called `bench`.
  private static func tool(_ workplace: Workplace, runs: Int) throws -> Tool {
    let tool = try Tool(workplace)
    for number in 1..<max(1, runs) {
      try tool("start", "--beside", "--name", "run-\(number)", "--card", "Work \(number)h")
    }
    try tool("start", "--beside", "--name", "bench", "--card", "Work 1h")
    return tool
  }
}
