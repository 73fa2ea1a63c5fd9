import Foundation
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct ZwiftTests {
  private func workout(_ steps: String) -> String {
    "<workout_file><name>Test</name><workout>\(steps)</workout></workout_file>"
  }

  @Test func `each kind of step becomes a countdown with its power in the note`() throws {
    let workout = try imported(
      workout(
        """
        <Warmup Duration="300" PowerLow="0.25" PowerHigh="0.75" Cadence="90"/>
        <SteadyState Duration="90" Power="1.135" CadenceLow="85" CadenceHigh="95"/>
        <steadystate duration="60.5" PowerLow="0.66" PowerHigh="0.66"/>
        <Ramp Duration="10" PowerLow="0.5" PowerHigh="1"/>
        <Freeride Duration="60"/><MaxEffort Duration="5"/><SolidState Duration="1" Zone="2"/>
        <Cooldown Duration="300" PowerLow="0.75" PowerHigh="0.25"/>
        """), "test.zwo")
    #expect(
      workout.steps == [
        "Warm-up 5m: 25 % to 75 % of FTP; 90 rpm", "Steady 1m30s: 113.5 % of FTP; 85 to 95 rpm",
        "Steady 1m0.5s: 66 % of FTP", "Ramp 10s: 50 % to 100 % of FTP", "Free ride 1m", "Max effort 5s",
        "Steady 1s: zone 2", "Cool-down 5m: 75 % to 25 % of FTP",
      ])
    #expect(workout.report.lines.isEmpty)
    #expect(workout.format == .zwo)
  }

  @Test func `intervals are a group, one round is cards, and without a rest there is one card per round`()
    throws
  {
    let workout = try imported(
      workout(
        """
        <IntervalsT Repeat="4" OnDuration="30" OffDuration="15.5" OnPower="1.2" OffPower="0.5"
          Cadence="100" CadenceResting="80"/>
        <IntervalsT Repeat="1" OnDuration="20" OffDuration="10" PowerOnLow="1" PowerOnHigh="1.1"
          PowerOffLow="0.5" PowerOffHigh="0.5"/>
        <IntervalsT Repeat="2" OnDuration="7" OffDuration="0" OnPower="1"/>
        """), "test.zwo")
    #expect(
      workout.text.hasSuffix(
        """
        title: Test
        cards:
          - rounds: 4
            cards:
              - title: Work
                note: 120 % of FTP; 100 rpm
                countdown: 30s
              - title: Rest
                note: 50 % of FTP; 80 rpm
                countdown: 15.5s
          - title: Work
            note: 100 % to 110 % of FTP
            countdown: 20s
          - title: Rest
            note: 50 % of FTP
            countdown: 10s
          - rounds: 2
            cards:
              - title: Work
                note: 100 % of FTP
                countdown: 7s

        """))
  }

  @Test func `a message is in the note of the card at its time`() throws {
    let workout = try imported(
      workout(
        """
        <SteadyState Duration="60" Power="1">
          <textevent timeoffset="0" message="Go &amp; stay"/>
          <TextEvent TimeOffset="65.5" message="Later" y="240"/>
          <textevent message="At once"/><textevent timeoffset="5" message=" "/>
          <textevent distoffset="500" message="Never"/><textevent timeoffset="soon" message="Never"/>
        </SteadyState>
        <IntervalsT Repeat="3" OnDuration="30" OffDuration="15" OnPower="1.2" OffPower="0.5">
          <textevent timeoffset="10" message="First"/>
          <TextNotification timeOffset="80" text="Second rest"/>
        </IntervalsT>
        <textevent timeoffset="59" message="Beside"/>
        <textevent timeoffset="99999" message="Past"/>
        """), "test.zwo")
    #expect(
      workout.steps[0...2] == [
        "Steady 1m: 100 % of FTP; 0:00 Go & stay At once; 0:59 Beside",
        "Work 30s: 120 % of FTP; round 1 at 0:05.5 Later; round 1 at 0:10 First",
        "Rest 15s: 50 % of FTP; round 2 at 0:05 Second rest",
      ])
    #expect(
      workout.report.lines == [
        "dropped: attribute y of TextEvent (1)", "dropped: message without text (1)",
        "dropped: message at a distance (1)", #"dropped: message at "soon" (1)"#,
        "dropped: message past the end (1)",
      ])
  }

  @Test func `messages of one moment are one text, and times are rounded to the millisecond`() throws {
    let workout = try imported(
      workout(
        """
        <SteadyState Duration="90.00001" Power="1">
          <textevent timeoffset="30.000002" message="Stand up,"/><textevent timeoffset="30" message="if you can"/>
          <textevent timeoffset="89.9999996" message="Next"/>
        </SteadyState>
        <IntervalsT Repeat="2" OnDuration="29.999997" OffDuration="9.9999" OnPower="1.2">
          <textevent timeoffset="40" message="Again"/><textevent timeoffset="39.99999" message="and again"/>
        </IntervalsT>
        """), "test.zwo")
    #expect(
      workout.steps == [
        "Steady 1m30s: 100 % of FTP; 0:30 Stand up, if you can",
        "Work 30s: 120 % of FTP; round 1 at 0:00 Next; round 2 at 0:00 Again and again", "Rest 10s",
        "Work 30s: 120 % of FTP; round 1 at 0:00 Next; round 2 at 0:00 Again and again", "Rest 10s",
      ])
  }

  @Test func `fractions of a second do not add up to a drift`() throws {
    // A third of a second, a thousand times; rounded one by one, they would be a third of a second short.
    let step = #"<SteadyState Duration="0.333333333333333333" Power="1"/>"#
    let workout = try imported(workout(String(repeating: step, count: 1000)), "test.zwo")
    #expect(workout.sequence.timeline.count == 1000)
    #expect(workout.total == .milliseconds(333_333))
    // Two thirds, to test rounding up.
    let long = #"<SteadyState Duration="0.666666666666666667" Power="1"/>"#
    let sum = try imported(self.workout(String(repeating: long, count: 1000)), "test.zwo").total
    #expect(sum == .milliseconds(666_667))
    // Rounds have one duration; the steps after them keep theirs.
    let rounds = #"<IntervalsT Repeat="1000" OnDuration="0.3336" OffDuration="0.1"/>"#
    let repeated = try imported(self.workout(rounds + step), "test.zwo")
    #expect(repeated.total == .milliseconds(434_000 + 333))
    let short = #"<IntervalsT Repeat="50000" OnDuration="0.0005" OffDuration="0.0005"/>"#
    #expect(try imported(self.workout(short + step), "test.zwo").total == .milliseconds(50_000 + 333))
  }

  @Test func `the pace of a run is part of the title, and the power is relative to it`() throws {
    let steps = """
      <SteadyState Duration="60" pace="2" Power="0.6667"><textevent message="07:34/km - Warm Up" duration="60"/>
      </SteadyState><Ramp Duration="60" Pace="easy"/><IntervalsT Repeat="1" OnDuration="20" OffDuration="10" pace="4"
        OnPower="1" OffPower="0.5"/><SteadyState Duration="1" pace=" "/><SteadyState Duration="2" pace="5"/>
      """
    let run = workout(steps).replacing("<workout>", with: "<sportType>run</sportType><workout>")
    #expect(
      try imported(run, "run.zwo").steps == [
        "Steady, 10 km pace 1m: 66.7 % of 10 km pace; 0:00 07:34/km - Warm Up", "Ramp, pace easy 1m",
        "Work, marathon pace 20s: 100 % of marathon pace", "Rest, marathon pace 10s: 50 % of marathon pace",
        "Steady 1s", "Steady, pace 5 2s",
      ])
    let ride = workout(#"<SteadyState Duration="60" pace="0" Power="0.5"/>"#)
      .replacing("<workout>", with: "<SportType> Bike\n</SportType><workout>")
    let imported = try imported(ride, "ride.zwo")
    #expect(imported.steps == ["Steady 1m: 50 % of FTP"])
    #expect(imported.report.lines == ["dropped: element SportType (1)", "dropped: attribute pace (1)"])
  }

  @Test func `text beside and in steps is reported`() throws {
    let steps =
      "a<SteadyState Duration=\"1\">b<textevent timeoffset=\"0\">c</textevent></SteadyState>d<!-- e -->"
    let workout = try imported(
      "<workout_file><name>One<b/> Two</name>f<tags>g</tags><workout>\(steps)</workout></workout_file>",
      "test.zwo")
    #expect(workout.sequence.definition.title == "Two")
    #expect(
      workout.report.lines == [
        "dropped: text in name (1)", "dropped: element b (1)", "dropped: text in workout_file (1)",
        "dropped: text in tags (1)", "dropped: text in workout (2)", "dropped: text in SteadyState (1)",
        "dropped: message without text (1)", "dropped: text in textevent (1)", "dropped: comment (1)",
      ])
  }

  @Test(arguments: [
    (#"PowerHigh="0.6" PowerLow="0.4""#, "60 % to 40 %"),
    (#"PowerLow="0.6" PowerHigh="0.4""#, "60 % to 40 %"),
    (#"PowerLow="0.5""#, "50 %"), (#"Power="0.5""#, "50 %"),
  ])
  func `a cool-down goes downwards`(power: String, note: String) throws {
    let steps = try imported(workout("<Cooldown Duration=\"60\" \(power)/>"), "test.zwo").steps
    #expect(steps == ["Cool-down 1m: \(note) of FTP"])
  }

  @Test func `unsupported parts are reported, and general information is kept as a comment`() throws {
    let workout = try imported(
      """
      <?xml version="1.0"?><!DOCTYPE x><workout_file><author>A. Uthor</author>
      <name>\r\n Over:  "under" # 1\r\n</name><description><![CDATA[One < two

      three]]></description><sportType>bike</sportType><tags><tag name="A"/><tag name="B"/></tags>
      <workout kind="x"><!-- easy --><SteadyState Duration="5" Power="high" FlatRoad="1"><gameplayevent type="x"/></SteadyState>
      <RestDay/><SteadyState Duration="0"/></workout></workout_file>
      """, "over.zwo")
    #expect(
      workout.text == """
        # Made by sequence import of over.zwo (Zwift workout).
        # by A. Uthor
        # One < two
        # three
        title: "Over: \\"under\\" # 1"
        cards:
          - title: Steady
            countdown: 5s

        """)
    #expect(
      workout.report.lines == [
        "dropped: element sportType (1)", "dropped: element tag (2)",
        "dropped: attribute kind of workout (1)",
        "dropped: comment (1)",
        #"dropped: power "high" (1)"#,
        "dropped: attribute FlatRoad (1)", "dropped: element gameplayevent (1)",
        "dropped: element RestDay (1)",
        "dropped: step without time (1)",
      ])
  }

  @Test func `text in Windows-1252 is decoded without a declaration, and the title is the file name`()
    throws
  {
    let bytes = Array("<workout_file><description>Don".utf8) + [0x92] + Array("t</description>".utf8)
    let rest = Array(#"<workout><MaxEffort Duration="1"/></workout></workout_file>"#.utf8)
    let workout = try imported(bytes + rest, "/some/where/An hour.zwo")
    #expect(workout.text.contains("# Don’t\n"))
    #expect(workout.sequence.definition.title == "An hour")
    #expect(workout.report.lines == ["changed: text in Windows-1252, now in UTF-8 (1)"])
  }

  @Test(arguments: [
    (#"<SteadyState Duration="NaN"/>"#, #"t.zwo:1: "NaN" is not a Duration in seconds"#),
    (#"<SteadyState Duration="-5"/>"#, #"t.zwo:1: "-5" is not a Duration in seconds"#),
    (#"<SteadyState Duration="1e400"/>"#, #"t.zwo:1: "1e400" is not a Duration in seconds"#),
    (
      #"<SteadyState Duration="99999999999999999999999"/>"#,
      #"t.zwo:1: "99999999999999999999999" is not a Duration in seconds"#
    ),
    (
      #"<SteadyState Duration="2592001"/>"#,
      "t.zwo:1: a step of 30d1s is too long; a card can last 30d at most"
    ),
    (
      #"<IntervalsT Repeat="100000" OnDuration="2592000"/>"#,
      "t.zwo:1: the workout is longer than 36500 days"
    ),
    (
      #"<IntervalsT Repeat="-1" OnDuration="1"/>"#,
      #"t.zwo:1: "-1" is not a number of rounds from 0 to 100000"#
    ),
    ("<RestDay/>", "t.zwo: the file has no steps with a time, so there is nothing to count down"),
    ("<SteadyState", "t.zwo: this is not XML: Error on line 1 char"),
    ("&lol;", "t.zwo: this is not XML: Error on line 1: Entity name"),
  ])
  func `invalid workouts are refused with the reason`(steps: String, message: String) throws {
    let found = try #require(refusal(workout(steps), "t.zwo"))
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test func `a workout of distances and another kind of document are refused`() {
    #expect(
      refusal("<workout_file>\n<durationType>distance</durationType></workout_file>", "t.zwo")
        == "t.zwo:2: the steps have distances instead of times, so there is nothing to count down")
    #expect(
      refusal("<gpx/>", "t.zwo") == #"t.zwo:1: a Zwift workout begins with workout_file, not with "gpx""#)
  }

  @Test func `a million open elements, and the largest number of steps, do no harm`() throws {
    #expect(refusal(String(repeating: "<a>", count: 300_000), "t.zwo") != nil)
    let nested = String(repeating: "<a>", count: 50_000) + String(repeating: "</a>", count: 50_000)
    #expect(
      refusal(workout(nested), "t.zwo")
        == "t.zwo: the file has no steps with a time, so there is nothing to count down")
    let many = #"<IntervalsT Repeat="50001" OnDuration="1" OffDuration="1"/>"#
    #expect(refusal(workout(many), "t.zwo")?.contains("more than 100000 steps") == true)
  }
}
