import Foundation
import TestSupport
import Testing

/// Sequences that repeat until the user stops them, with the built programs.
struct EndlessTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  private func file() throws -> String {
    try tool.file(
      """
      title: Eyes
      cards:
        - { title: Ready, countdown: 0.1s }
        - rounds: forever
          cards:
            - { title: Work, countdown: 0.5s }
            - { title: Look up, countdown: 0.5s }
      """)
  }

  @Test func `check shows one round, and which steps repeat`() throws {
    let lines = try tool.succeed("check", file()).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "Eyes", "1      0:00  Ready, 0.1s", "2      0:00  Work, 0.5s, round 1",
        "3      0:00  Look up, 0.5s, round 1",
        "3 steps, 1.1s; steps 2 to 3 repeat until you stop the run",
      ])
    let skipping = try tool.file(
      "title: T\ncards: [{ rounds: 3, cards: [{ title: A, countdown: 1h }, { title: B, countdown: 1h, skipLast: true }] }]"
    )
    #expect(try tool("check", skipping).errors == "")
    #expect(try tool("check", skipping, "--rounds", "forever").errors.contains("skipLast has no effect"))
    let counted = try tool.succeed("check", file(), "--rounds", "2")
    #expect(counted.hasSuffix("5 steps, 2.1s"))
    let document = try tool.json("check", file())
    #expect((document["steps"] as? [Any])?.count == 3)
    #expect((document["total"] as? [String: Any])?.isEmpty == true)
  }

  @Test func `a run without a terminal goes on round by round, and is finished when it is stopped`() throws {
    let run = try tool.begin("run", try file())
    for words in [
      "started \"Eyes\" as eyes, endless", "step 1: \"Ready\", 0.1s", "step 2: \"Work\", 0.5s, round 1",
      "step 3: \"Look up\", 0.5s, round 1", "step 4: \"Work\", 0.5s, round 2",
    ] {
      #expect(try run.line().hasSuffix(words))
    }
    let status = try tool.json("status")
    let step = try #require(status["step"] as? [String: Any])
    #expect(step["count"] == nil)
    #expect((step["rounds"] as? [[String: Int]])?.first?["of"] == nil)
    #expect((status["total"] as? [String: Any])?["remaining"] == nil)
    #expect(try tool.status("count") == "")
    #expect(try tool.succeed("stop").hasPrefix("stopped eyes: finished, "))
    #expect(try run.exitStatus() == 0)

    let history = try tool.json("history")
    let ended = try #require((history["runs"] as? [[String: Any]])?.first)
    #expect(ended["outcome"] as? String == "finished")
    #expect(ended["hasMoreSteps"] as? Bool == false)
    let fields = try tool.succeed("history", "--csv").split(separator: "\r\n").last?
      .split(separator: ",", omittingEmptySubsequences: false)
    #expect(fields?[6] == "")
    #expect(try tool.succeed("stats").contains("1 run, 1 finished"))
  }

  @Test func `rounds forever is an option, and is refused where the group is not the last element`() throws {
    try tool.succeed("start", "--card", "A 1h", "--rounds", "forever")
    #expect(try tool.succeed("status").contains("round 1, step 1 of \"A\""))
    // Without a whole round it is stopped.
    #expect(try tool.succeed("stop").hasPrefix("stopped a: 0 steps in 0:0"))
    let file = try tool.file(
      "title: T\ncards:\n  - rounds: 2\n    cards: [{ title: A, countdown: 1h }]\n  - { title: B, countdown: 1h }\n"
    )
    let refused = try tool("start", file, "--rounds", "forever")
    #expect(refused.status == 65 || refused.status == 64)
    #expect(refused.errors.contains("rounds: forever works only on the last element"))
    #expect(try tool.succeed("check", file, "--rounds", "forever", "--without", "B").contains("repeats"))
    #expect(try tool("start", file, "--rounds", "often").errors.contains("or forever, not \"often\""))
  }
}
