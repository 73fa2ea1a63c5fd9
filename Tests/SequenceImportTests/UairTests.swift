import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct UairTests {
  @Test func `sessions are countdowns, and wait before a session without autostart`() throws {
    let workout = try imported(
      """
      startup_text = "hello"
      [defaults]
      format = "{time}\\n"
      autostart = true
      [[sessions]]
      id = "work"
      name = "Work: hard"
      duration = "1h 47m"
      command = "notify-send 'Done'"
      [[sessions]]
      name = 'Rest'
      duration = "5minutes 30s"
      autostart = false
      [sessions.overrides.small]
      format = "{time}"
      [[sessions]]
      """, "/home/me/.config/uair/uair.toml")
    #expect(workout.format == .uair)
    #expect(workout.sequence.definition.title == "uair")
    #expect(workout.steps == ["Work: hard 1h47m, waits", "Rest 5m30s", "Work 25m"])
    #expect(
      workout.report.lines == [
        "dropped: startup_text (1)", "dropped: command (1)", "dropped: id (1)", "dropped: overrides (1)",
        "dropped: format (1)", "changed: session that does not start by itself: the one before it waits (1)",
      ])
  }

  @Test func `a pause at the start is an option of the commands that start the sequence`() throws {
    let workout = try imported("pause_at_start = true\n[[sessions]]\nduration='1m'\n", "u.toml")
    #expect(
      workout.report.lines == ["dropped: pause_at_start; start the sequence with --paused (1)"])
  }

  @Test func `iterations are rounds, and a loop is endless rounds`() throws {
    let sessions =
      "[[sessions]]\nduration='1m'\nautostart=true\n[[sessions]]\nduration='1s'\nautostart=true\n"
    #expect(try imported("iterations = 3\n" + sessions, "u.toml").sequence.timeline.count == 6)
    let endless = try imported("loop_on_end = true\niterations = 3\n" + sessions, "u.toml")
    #expect(endless.steps == ["Work 1m", "Work 1s"])
    #expect(endless.sequence.timeline.count == nil)
    #expect(endless.report.lines == [])
    // The first session of a round waits to be started, so the last session of the previous round stays at
    // zero.
    let waiting = try imported("iterations = 2\n[[sessions]]\nduration='1m'\n", "u.toml")
    #expect(waiting.steps == ["Work 1m, waits", "Work 1m, waits"])
  }

  @Test(arguments: [
    ("sessions = [\n1, =]", "u.toml:2: this is not TOML: Error while parsing"),
    ("", "u.toml: sessions is missing"),
    ("sessions = []", "u.toml: the file has no steps with a time, so there is nothing to count down"),
    ("sessions = 3", "u.toml:1: sessions is not a list"),
    ("sessions = [{ name = 3 }]", "u.toml:1: sessions[0].name is not a text; write it in quotes"),
    (
      "[[sessions]]\r\nautostart = true\r\n[[sessions]]\r\nautostart = \"true\"",
      "u.toml:4: sessions[1].autostart is not true or false; write true or false, without quotes"
    ), ("\n[defaults]\nautostart = 1\n[[sessions]]", "u.toml:3: defaults.autostart is not true or false"),
    ("iterations = '3'\n[[sessions]]", "u.toml:1: iterations is not a number; write it without quotes"),
    ("\n[defaults]\nduration = '5x'\n[[sessions]]", #"u.toml:3: "5x" is not a duration"#),
    ("sessions = [{ duration = '5x' }]", #"u.toml:1: "5x" is not a duration of at most 30d"#),
    ("sessions = [{ duration = '1M' }]", #"u.toml:1: "1M" is not a duration of at most 30d"#),
    ("sessions = [{ duration = '' }]", #"u.toml:1: "" is not a duration of at most 30d"#),
    ("sessions = [{ duration = '-5m' }]", #"u.toml:1: "-5m" is not a duration"#),
    (
      "sessions = [{ duration = '99999999999999999999s' }]",
      "u.toml:1: \"99999999999999999999s\" is not a duration"
    ),
    ("iterations = 0\nsessions = [{}]", "u.toml:1: 0 is not a number of iterations from 1 to 100000"),
    (
      "iterations = 99999999999\nsessions = [{}]",
      "u.toml:1: 99999999999 is not a number of iterations from 1 to 100000"
    ),
    ("a = 1\na = 2", "u.toml:2: this is not TOML:"),
  ])
  func `invalid configurations are refused with the reason`(text: String, message: String) throws {
    let found = try #require(refusal(text, "u.toml"))
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test(
    arguments: ["[", "[[", "[é]", "[.a]", "[=]", "[a.=]", "[[é]]", "[[.]]", "[\u{301}", "[ \u{FE0F}]"],
    ["\n", "\r\n", "\r\n\u{301}", ""])
  func `a table without a valid name is refused with its line`(table: String, end: String) throws {
    let found = try #require(refusal("x = 1\r\n\(table)\(end)", "u.toml"))
    #expect(found.hasPrefix("u.toml:2: this is not TOML: "), "\(found)")
  }

  @Test func `a line in a text or a list may begin with a bracket, and lines may end with CR LF`() throws {
    let text = "a = '''\n[=]\n'''\nb = [\n[\n1]]\n[[sessions]]\nduration = '1m'\n"
    for text in [text, text.replacing("\n", with: "\r\n")] {
      let workout = try imported(text, "u.toml")
      #expect(workout.steps == ["Work 1m"])
      #expect(workout.report.lines == ["dropped: a (1)", "dropped: b (1)"])
    }
  }

  @Test func `deep nesting does no harm`() {
    let dotted = Array(repeating: "a", count: 500_000).joined(separator: ".")
    #expect(
      refusal("\(dotted) = 1", "u.toml") == "u.toml: the file has more than 5000 dots"
    )
    #expect(refusal("\(dotted.prefix(9_999)) = 1", "u.toml")?.contains("nested deeper than 100") == true)
    #expect(refusal("a = " + String(repeating: "[", count: 100_000), "u.toml") != nil)
    let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(refusal("sessions = []\na = " + nested, "u.toml") != nil)
  }

  @Test(arguments: [
    ("1h 47m", 6_420_000), ("90", nil), ("2days", 172_800_000), ("1 week", 604_800_000), ("250ms", 250),
    ("1M", nil), ("m", nil), ("1.5h", nil), ("٣s", nil), ("", nil), ("1h,2m", nil),
  ])
  func `durations are numbers with units`(text: String, milliseconds: Int?) {
    #expect(HumanDuration.parse(text) == milliseconds.map { .milliseconds($0) })
  }
}
