import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

@testable import SequencePresentation

@Suite struct TemplateTests {
  @Test(arguments: [
    ("{step:8}|", "日本語 …|"), ("{step:20}|", "日本語 🏋️‍♀️ Squats    |"), ("{step:<20}|", "日本語 🏋️‍♀️ Squats    |"),
    ("{step:>20}|", "    日本語 🏋️‍♀️ Squats|"), ("{step:.20}|", "日本語 🏋️‍♀️ Squats|"), ("{step:.5}|", "日本…|"),
    ("{step:4}|", "日… |"), ("{step:>4}|", " 日…|"), ("{step:1}|", "…|"), ("{time:>7}|", "   0:16|"),
    ("{note:3}|", "   |"),
    ("{next?, then }{next}", ", then Rest"), ("{note? (}{note}{note?)}", ""), ("{paused? paused}|", "|"),
    ("{{{number}/{count}}}", "{1/4}"), ("{round} of {rounds}", "1 of 2"), ("{percent} %", "20 %"),
    ("{overtime}|{remaining}|{elapsed}", "|0:16|0:04"), ("{total.elapsed} {total.remaining}", "0:04 0:56"),
    ("{state} {sequence}", "running Tabata"), ("{next?, {next}}", nil), ("{step:}", nil), ("{step:x}", nil),
    ("{step:0}", nil), ("{step:-3}", nil), ("{step:1001}", nil), ("{step:+3}", nil), ("{step:٣}", nil),
    ("{nothing}", nil),
    ("{step", nil), ("}", nil), ("{step:.}", nil), ("{step:<>3}", nil),
  ])
  func `a template is filled or refused`(template: String, text: String?) throws {
    let sample = try SampleRun("日本語 🏋️‍♀️ Squats 20s", "Rest 10s", rounds: 2)
    guard let text else {
      #expect(throws: Problem.self) { try Template(template) }
      return
    }
    let filled = try Template(template).filled(with: sample.status(after: 4.5))
    #expect(filled == text)
  }

  @Test func `until is the clock time of the end of a running countdown`() throws {
    let (template, clock) = (try Template("{until}"), #/^(\d{4}-\d\d-\d\d )?\d\d:\d\d$/#)
    var sample = try SampleRun("Work 20m", "Read")
    let end = template.filled(with: sample.status(after: 0))
    #expect(end.wholeMatch(of: clock) != nil && template.filled(with: sample.status(after: 1100)) == end)
    #expect(template.filled(with: sample.status(after: 1300)) == "")
    try sample.perform(.pause, after: 100)
    #expect(template.filled(with: sample.status(after: 101)) == "")
  }

  @Test func `the end of a run is known if the run doesn't wait`() throws {
    func end(_ sample: SampleRun) throws -> String? { try #require(RunView(sample.status(after: 1))).end }
    #expect(try end(SampleRun("Work 20s", "Rest 10s", rounds: 2)) != nil)
    #expect(try end(SampleRun("Work 20s", "Read")) == nil)
    #expect(try end(SampleRun("Work 20s", rounds: .forever)) == nil)
    let manual =
      "title: T\ncards: [{ title: A, countdown: 5s }, { title: B, countdown: 5s, advance: manual }]\n"
    #expect(try end(SampleRun(yaml: manual)) == nil)
    var paused = try SampleRun("Work 20s")
    try paused.perform(.pause, after: 1)
    #expect(try end(paused) == nil)
  }

  @Test func `an end on the full minute isn't shown as the minute before`() {
    let noon = Moment(microseconds: 1_795_435_200_000_000)
    let early = EndText.clock(noon, after: .nanoseconds(299_999_999_000))
    #expect(early == EndText.clock(noon, after: .seconds(300)))
  }

  @Test func `an endless sequence has neither a count nor a time left`() throws {
    let sample = try SampleRun("Work 20s", "Rest 10s", rounds: .forever)
    let template = try Template(
      "{number}/{count?of }{count} {round}/{rounds} {total.remaining}|{next} {percent}")
    #expect(template.filled(with: sample.status(after: 34)) == "3/ 2/ |Rest 20")
  }

  @Test func `every field except the state is empty without a run, but keeps its width`() throws {
    for field in TemplateField.allCases {
      let text = try Template("{\(field.rawValue)}").filled(with: SampleRun.idle)
      #expect(text == (field == .state ? "idle" : ""))
      let wide = try Template("{\(field.rawValue):9}").filled(with: SampleRun.idle)
      #expect(wide.count == 9)
    }
  }

  @Test func `in overtime a step shows by how much and how long it has taken`() throws {
    var sample = try SampleRun(
      yaml: "title: T\ncards: [{ title: A, countdown: 2.5s, advance: manual }, { title: B, countdown: 1s }]\n"
    )
    let template = try Template("{time} {overtime} {elapsed} {percent} {state}{paused?!}")
    #expect(template.filled(with: sample.status(after: 0.4)) == "0:03  0:00 0 running")
    #expect(template.filled(with: sample.status(after: 1.5)) == "0:01  0:01 60 running")
    #expect(template.filled(with: sample.status(after: 2.5)) == "+0:00 0:00 0:02 100 overtime")
    #expect(template.filled(with: sample.status(after: 5)) == "+0:02 0:02 0:05 100 overtime")
    try sample.perform(.pause, after: 5)
    #expect(template.filled(with: sample.status(after: 9)) == "+0:02 0:02 0:05 100 paused!")
  }
}
