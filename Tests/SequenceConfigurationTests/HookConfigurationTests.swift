import Foundation
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePresentation
import SequenceRunner
import TestSupport
import Testing

/// Hooks in the configuration, the only place for them.
struct HookConfigurationTests {
  private func parse(_ text: String) throws(SequenceFileError) -> [Hook] {
    try Configuration.parse(Array(text.utf8)).hooks
  }

  @Test func `a hook has events, a command and its own limits`() throws {
    let hooks = try parse(
      """
      hooks:
        - { on: [step-start, remaining], run: [spd-say, --wait, "{step}"], timeout: 5s, remaining: 10s }
        - { on: stop, run: [/usr/bin/true] }
      """)
    #expect(
      hooks == [
        Hook(
          events: [.stepStart, .remaining], remaining: .seconds(10), program: "spd-say",
          arguments: [try Template("--wait"), try Template("{step}")], timeout: .seconds(5)),
        Hook(events: [.stop], remaining: .seconds(3), program: "/usr/bin/true", timeout: .seconds(10)),
      ])
    #expect(hooks.map(\.name) == ["spd-say --wait {step}", "/usr/bin/true"])
  }

  @Test func `the example is valid and has a hook of each kind`() throws {
    let configuration = try Configuration.read(
      path: BuiltProducts.repository + "examples/configuration/config.yaml")
    #expect(configuration.hooks.count == 6)
    #expect(configuration.hooks.contains { $0.remaining == .seconds(10) })
  }

  static let events = RunEvent.Name.allCases.map(\.rawValue).joined(separator: ", ")

  @Test(arguments: [
    ("hooks: {}", "1:8: hooks must be a list, not a mapping"),
    ("hooks: [3]", "1:9: a hook must have keys and values, but this is \"3\""),
    ("hooks: [{ on: [stop] }]", "1:9: the key run is missing in a hook"),
    ("hooks: [{ run: [true] }]", "1:9: the key on is missing in a hook"),
    (
      "hooks: [{ on: [stop], run: [true], timout: 3s }]",
      "1:36: unknown key \"timout\" in a hook; did you mean timeout?"
    ),
    (
      "hooks: [{ on: [step], run: [true] }]",
      "1:16: unknown event \"step\"; use \(HookConfigurationTests.events)"
    ),
    ("hooks: [{ on: [], run: [true] }]", "1:15: on is empty; write at least one event"),
    ("hooks: [{ on: {}, run: [true] }]", "1:15: on must be a list of events, not a mapping"),
    (
      "hooks: [{ on: stop, run: spd-say hello }]",
      "1:26: run must be a list of a program and its arguments, not \"spd-say hello\"; write it like "
        + "[spd-say, \"{step}\"]"
    ),
    (
      "hooks: [{ on: stop, run: [bin/say] }]",
      "1:27: \"bin/say\" is not a program; write a name in PATH, or a path that begins with /"
    ),
    (
      "hooks: [{ on: stop, run: [\"{step}\"] }]",
      "1:27: \"{step}\" is not a program; write its name, without fields"
    ),
    ("hooks: [{ on: stop, run: [\"\"] }]", "1:27: nothing is not a program; write its name, without fields"),
    ("hooks: [{ on: stop, run: [true, [a]] }]", "1:33: a word of run must be text, not a list"),
    (
      "hooks: [{ on: stop, run: [true, \"a{\"] }]",
      "1:33: a brace in the template is not closed or opened; to print a brace, write {{ or }}"
    ),
    (
      "hooks: [{ on: stop, run: [true, \"{title}\"] }]",
      "1:33: unknown field \"title\"; use \(TemplateField.names)"
    ),
    (
      "hooks: [{ on: stop, run: [sh, -c, \"{ a; b; }\"] }]",
      "1:35: unknown field \" a; b; \"; to write a brace that is no field, double it: {{ and }}"
    ),
    (
      "hooks: [{ on: stop, run: [true, \"\\0\"] }]",
      "1:33: a word of run has a NUL character or more than 64 KiB"
    ),
    (
      "hooks: [{ on: stop, run: [true], timeout: 11m }]",
      "1:43: timeout must be at most 10m, not \"11m\""
    ),
    (
      "hooks: [{ on: stop, run: [true], timeout: soon }]",
      "1:43: \"soon\" is not a duration; write it like 2m or 1m30s"
    ),
    (
      "hooks: [{ on: stop, run: [true], remaining: 3s }]",
      "1:45: remaining works only with the event remaining; add remaining to on, or remove it"
    ),
  ])
  func `a mistake is reported with its position`(text: String, message: String) {
    let error = #expect(throws: SequenceFileError.self) { try parse(text + "\n") }
    #expect(error?.message(inFile: "config.yaml") == "config.yaml:" + message)
  }

  @Test(arguments: [
    ("rest", [false, true, false]), ("work", [true, false, true]),
    ("{ title: focus }", [true, false, false]),
    ("{ title: Ruhe }", [false, true, false]),
  ])
  func `a condition holds for the steps that it names`(condition: String, expected: [Bool]) throws {
    let text =
      "hooks: [{ on: [step-start], when: \(condition), run: [a] }]\ncues: { sound: true, when: \(condition) }\n"
    let configuration = try Configuration.parse(Array(text.utf8))
    let hook = try #require(configuration.hooks.first)
    let file = """
      title: Day
      cards:
        - { title: Focus, countdown: 1m }
        - { title: Ruhe, countdown: 1m, rest: true }
        - { title: Break dance, countdown: 1m, rest: false }
      """
    let timeline = try SequenceFile.parse(Array(file.utf8)).timeline
    let clock = ManualClock()
    let run = ActiveRunSnapshot(timeline: timeline, at: clock.now())
    let starts = run.agenda(after: clock.now()).filter { $0.kind == .stepStart }
    // The start of the first step is an event of the command that starts the run.
    #expect(starts.map(\.step) == [1, 2])
    #expect(starts.map { hook.isFor($0, in: run) } == Array(expected.dropFirst()))
    #expect(starts.map { configuration.cues.sound(of: $0, in: run) != nil } == Array(expected.dropFirst()))
    let ends = run.agenda(after: clock.now()).filter { $0.kind.name == .stepEnd }
    let ending = Hook(events: [.stepEnd], condition: hook.condition, program: "a")
    #expect(ends.map { ending.isFor($0, in: run) } == expected)
  }

  @Test(arguments: ["rests", "[rest]", "{ title: [] }", "{ title: \"\" }", "{ name: A }", "{}"])
  func `a condition that means nothing is refused`(condition: String) {
    let text = "hooks: [{ on: [stop], when: \(condition), run: [a] }]\n"
    #expect(throws: SequenceFileError.self) { try Configuration.parse(Array(text.utf8)) }
  }

  @Test func `hooks in a sequence file are rejected, even on a card`() {
    for text in [
      "title: A\nhooks: [{ on: [run-start], run: [touch, x] }]\ncards: [{ title: A, countdown: 1s }]\n",
      "title: A\ncards: [{ title: A, countdown: 1s, hooks: [{ on: [run-start], run: [touch, x] }] }]\n",
    ] {
      let error = #expect(throws: SequenceFileError.self) { try SequenceFile.parse(Array(text.utf8)) }
      #expect(error?.message(inFile: "a").contains("unknown key \"hooks\"") == true)
    }
  }

  @Test func `the schema and the page list exactly the existing events and fields`() throws {
    let data = try Data(contentsOf: URL(filePath: BuiltProducts.repository + "docs/config.schema.json"))
    let schema = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
    #expect(definitions["event"]?["enum"] as? [String] == RunEvent.Name.allCases.map(\.rawValue))
    let page = try String(contentsOfFile: BuiltProducts.repository + "docs/hooks.md", encoding: .utf8)
    for variable in HookVariable.allCases {
      #expect(page.contains("`\(variable.rawValue)`"), "\(variable)")
    }
    let fields = try String(contentsOfFile: BuiltProducts.repository + "docs/scripting.md", encoding: .utf8)
    for field in TemplateField.allCases { #expect(fields.contains("`{\(field.rawValue)}`"), "\(field)") }
    for name in RunEvent.Name.allCases { #expect(page.contains("`\(name.rawValue)`"), "\(name)") }
    for kind in HookFailure.Kind.allCases { #expect(page.contains("| `\(kind.rawValue)` |"), "\(kind)") }
  }
}
