import Foundation
import SequencePlatform
import SequencePresentation
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// The output for each bar in each state.
@Suite struct StatusBarTests {
  private func line(_ bar: StatusBar, _ status: RunStatus, _ format: String = StatusBar.usualTemplate) throws
    -> String
  {
    try StatusForm.bar(bar, Template(format)).line(status)
  }

  private func running() throws -> SampleRun { try SampleRun("Work 20s", "Rest 10s", rounds: 8) }

  private static let waiting = "title: Tea\ncards: [{ title: Steep, countdown: 4m, advance: manual }]\n"
  private static let stretch = "title: S\ncards: [{ title: Stretch, countUp: {}, note: Slowly }]\n"

  @Test(arguments: [StatusBar.polybar, .tmux, .plain])
  func `a text bar shows the step and its clock, and nothing without a run`(bar: StatusBar) throws {
    var sample = try running()
    #expect(try line(bar, SampleRun.idle) == "")
    #expect(try line(bar, SampleRun.idle, "{step:20}|{state}") == "", "a bar hides what is empty")
    #expect(try line(bar, sample.status(after: 4.5)) == "Work 0:16")
    try sample.perform(.pause, after: 4.5)
    #expect(try line(bar, sample.status(after: 100)) == "Work 0:16 paused")
    #expect(try line(bar, SampleRun(yaml: Self.waiting).status(after: 245.5)) == "Steep +0:05")
    #expect(try line(bar, SampleRun(yaml: Self.stretch).status(after: 65)) == "Stretch 1:05")
  }

  @Test func `a sign with a combining accent is escaped, too`() {
    #expect(Array(BarMarkup.tmux("a#\u{301}[b]#").utf8) == Array("a##\u{301}[b]##".utf8))
  }

  @Test func `Waybar gets text, tooltip, class, percentage and an icon name`() throws {
    #expect(try line(.waybar, SampleRun.idle) == #"{"alt":"idle","class":["idle"],"text":"","tooltip":""}"#)
    var sample = try running()
    let tooltip = #"Tabata\nWork, 0:16 left\nround 1 of 8, step 1 of 16\nNext: Rest, 0:10\n3:56 left in all"#
    #expect(
      try line(.waybar, sample.status(after: 4.5))
        == #"{"alt":"running","class":["running","countdown"],"percentage":20,"text":"Work 0:16","tooltip":""#
        + tooltip + #""}"#)
    try sample.perform(.pause, after: 5)
    #expect(
      try line(.waybar, sample.status(after: 9)).contains(#""class":["paused","countdown"],"percentage":25"#))
    let over = try line(.waybar, SampleRun(yaml: Self.waiting).status(after: 245))
    #expect(over.hasPrefix(#"{"alt":"overtime","class":["overtime","countdown"],"percentage":100,"#))
    #expect(
      try line(.waybar, SampleRun(yaml: Self.stretch).status(after: 65))
        == #"{"alt":"running","class":["running","countup"],"text":"Stretch 1:05","#
        + #""tooltip":"S\nStretch, 1:05 so far\nSlowly\nstep 1 of 1"}"#)
  }

  @Test func `a block of i3bar has both texts, and is urgent when a step waits for the user`() throws {
    func block(_ text: String, _ short: String, _ state: String, urgent: Bool) -> String {
      #"{"full_text":"\#(text)","markup":"pango","short_text":"\#(short)","state":"\#(state)","#
        + #""text":"\#(text)","urgent":\#(urgent)}"#
    }
    #expect(try line(.i3status, SampleRun.idle) == block("", "", "Idle", urgent: false))
    var sample = try running()
    #expect(
      try line(.i3status, sample.status(after: 4.5)) == block("Work 0:16", "0:16", "Info", urgent: false))
    try sample.perform(.pause, after: 5)
    #expect(
      try line(.i3status, sample.status(after: 9)) == block("Work 0:15 paused", "0:15", "Idle", urgent: false)
    )
    #expect(
      try line(.i3status, SampleRun(yaml: Self.waiting).status(after: 245))
        == block("Steep +0:05", "+0:05", "Warning", urgent: true))
  }

  @Test(arguments: [
    (StatusBar.waybar, "a<b>&\"", "a&lt;b&gt;&amp;\""), (.i3status, "<i>&lt;", "&lt;i&gt;&amp;lt;"),
    (.polybar, "%{F#f00}x", "%%{O}{F#f00}x"), (.polybar, "50%", "50%%{O}"), (.polybar, "{x}", "%{O}{x}"),
    (.polybar, "%%{{", "%%%{O}{%{O}{"), (.polybar, "5 % a", "5 % a"), (.tmux, "#[bg=red]#", "##[bg=red]##"),
    (.plain, "<b>%{x}#[", "<b>%{x}#["),
  ])
  func `markup in a title is shown literally`(bar: StatusBar, text: String, escaped: String) throws {
    #expect(bar.escaped(text) == escaped)
  }

  /// Returns the text that a bar shows for the markup in a field of a document.
  ///
  /// Markup with a sign that isn't escaped fails.
  private func shown(_ name: String, of line: String) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let markup = try #require(object?[name] as? String)
    let entities = [("&lt;", "\u{1}", "<"), ("&gt;", "\u{2}", ">"), ("&amp;", "\u{3}", "&")]
    let text = entities.reduce(markup) { $0.replacing($1.0, with: $1.1) }
    try #require(!text.contains { "&<>".contains($0) }, "\(markup)")
    return entities.reduce(text) { $0.replacing($1.1, with: $1.2) }
  }

  @Test(arguments: StatusBar.allCases)
  func `a title with signs of markup is shown next to a second run with such a title`(bar: StatusBar) throws {
    let title = #"R&B <3 "x" %{F-} #[fg=red]"#
    let yaml = "title: '\(title)'\ncards: [{ title: '\(title)', countdown: 20s, note: 'a & b' }]\n"
    let status = try SampleRun(yaml: yaml).status(after: 0)
    let run = try #require(status.run)
    let tabata = try #require(try running().status(after: 0).run)
    let text = try line(bar, RunStatus(reading: status.reading, runs: [tabata, run]))
    switch bar {
    case .waybar:
      #expect(try shown("text", of: text) == "\(title) 0:20")
      let lines = try shown("tooltip", of: text).split(separator: "\n").map(String.init)
      #expect(Array(lines.prefix(3)) == [title, "\(title), 0:20 left", "a & b"])
      #expect(lines.last?.hasPrefix("tabata: ") == true)
      // As the run that is not shown.
      let other = try line(bar, RunStatus(reading: status.reading, runs: [run, tabata]))
      #expect(try shown("tooltip", of: other).contains("R&B <3 "))
    case .i3status:
      #expect(try shown("text", of: text) == "\(title) 0:20")
      #expect(try shown("full_text", of: text) == "\(title) 0:20")
      #expect(try shown("short_text", of: text) == "0:20")
    case .polybar: #expect(text == #"R&B <3 "x" %%{O}{F-} #[fg=red] 0:20"#)
    case .tmux: #expect(text == #"R&B <3 "x" %{F-} ##[fg=red] 0:20"#)
    case .plain: #expect(text == "\(title) 0:20")
    }
  }

  @Test(arguments: StatusBar.allCases)
  func `markup in the user's template works, markup from a file does not`(bar: StatusBar) throws {
    let sample = try SampleRun(
      yaml: #"{ title: "<T>\e", cards: [{ title: "<b>%{A1:rm:}#[x\e[31m\a", countdown: 20s }] }"#)
    let text = try line(bar, sample.status(after: 0), "<i>%{{F-}}#[fg]{step}</i>")
    let title = bar.escaped("<b>%{A1:rm:}#[x[31m")
    #expect(TextSafety.isSafe(text))
    switch bar {
    case .polybar, .tmux, .plain: #expect(text == "<i>%{F-}#[fg]" + title + "</i>")
    case .waybar, .i3status:
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["text"] as? String == "<i>%{F-}#[fg]" + title + "</i>")
      if bar == .waybar {
        #expect((object["tooltip"] as? String)?.hasPrefix("&lt;T&gt;\n&lt;b&gt;%{A1") == true)
      }
    }
  }

  @Test(arguments: [
    (["--bar", "xmobar"], #"--bar cannot be "xmobar"; use waybar, i3status, polybar, tmux or plain"#),
    (["--bar", "plain", "--json"], "--json and --bar cannot be combined; remove one of them"),
    (["--format", "x", "--json"], "--json and --format cannot be combined; remove one of them"),
  ])
  func `an invalid command line is refused`(words: [String], text: String) throws {
    let error = #expect(throws: Failure.self) {
      _ = try StatusForm(
        ParsedArguments(words, of: StatusCommand.command), EnvironmentVariables([:]))
    }
    #expect(error?.description == text)
  }
}
