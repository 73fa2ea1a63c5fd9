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

  @Test func `a run of a store without sums keeps its steps`() throws {
    for _ in 0..<2 { #expect(try tool("next").status == 0) }
    try damage(
      "DROP INDEX history_list; ALTER TABLE history DROP COLUMN rest; CREATE INDEX history_list ON history (title)"
    )
    let output = try tool("history")
    #expect(output.errors.contains("the store was damaged and was moved to "))
    #expect(output.text.contains("finished") && output.text.contains("2/2"), "\(output)")
  }

  @Test func `a lost run is named, and in the history as lost`() throws {
    try damage("UPDATE active_run SET checksum = '' WHERE number = 1")
    let output = try tool("status")
    #expect(output.errors.contains("0 past runs, lost \"A, B\""), "\(output.errors)")
    let history = try tool("history")
    #expect(history.text.contains("lost") && history.text.contains("A, B"), "\(history.text)")
    #expect(try tool("history", "--json").text.contains(#""outcome":"lost""#))
    #expect(try tool("history", "--csv").text.contains(",lost,"))
    #expect(try tool("stats", "--json").status == 0)
    #expect(try tool("history", "--steps").status == 0)
  }

  @Test(arguments: StatusBar.allCases, [false, true])
  func `a bar shows that the status can't be read`(bar: StatusBar, isFollowing: Bool) throws {
    try damage("PRAGMA user_version = 99")
    let output = try tool.run(["status", "--bar", bar.rawValue] + (isFollowing ? ["--follow"] : []))
    // Waybar hides what a failed command has printed.
    #expect(output.status == 0)
    #expect(output.errors.contains("was made by a newer version"))
    switch bar {
    case .waybar:
      let reason = output.errors.replacing("sequence: ", with: "")
      #expect(
        output.text
          == #"{"alt":"error","class":["error"],"text":"sequence: error","tooltip":"\#(reason)"}"#)
    case .i3status:
      #expect(output.text.hasPrefix(#"{"full_text":"sequence: error","#), "\(output.text)")
      #expect(output.text.contains(#""state":"Critical""#))
    case .polybar, .tmux, .plain: #expect(output.text == "sequence: error")
    }
  }
}
