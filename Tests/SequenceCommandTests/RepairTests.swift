import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// Commands that find a store with damaged notifications.
struct RepairTests {
  private let tool: CommandLineRunner

  init() throws {
    tool = try CommandLineRunner()
    #expect(try tool("start", "--card", "A 1h", "--card", "B 1h").status == 0)
  }

  private func damage(_ script: String) throws {
    try Database(path: tool.state + "/sequence.db").execute(script)
  }

  @Test(arguments: [["notifications"], ["notifications", "list", "--json"]])
  func `a damaged ledger is replaced by the command that lists it`(words: [String]) throws {
    try damage("ALTER TABLE notification RENAME COLUMN summary TO sumary")
    let output = try tool.run(words)
    #expect(output.status == 0)
    #expect(output.errors.contains("the store was damaged and was moved to "))
    #expect(try tool("status").text.contains("\"A\""))
  }

  @Test func `a damaged report of the agent is handled in the same way`() throws {
    try damage("ALTER TABLE agent_report RENAME COLUMN detail TO detial")
    let output = try tool.run(["agent", "status"])
    #expect(output.status == 0)
    #expect(output.errors.contains("the store was damaged and was moved to "))
  }
}
