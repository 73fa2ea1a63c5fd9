import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct CourseTests {
  private func course(_ data: String, header: String = "MINUTES WATTS", text: String = "") -> String {
    """
    [COURSE HEADER]
    VERSION = 2
    \(header)
    [END COURSE HEADER]
    [COURSE DATA]
    \(data)
    [END COURSE DATA]
    \(text)
    """
  }

  @Test func `points are corners, and two points at one time are a jump`() throws {
    let data = "0.00\t91\n5.00\t91\n10\t145\n10 145\n10.00   200\n12.5, 200\n12.5\t100\n13\t50 ; the end"
    let workout = try imported(
      course(data, header: "DESCRIPTION = Ups: and downs\nFTP=250\nMINUTES WATTS\nSOURCE=ErgDB"), "ups.erg")
    #expect(
      workout.steps == [
        "Steady 5m: 91 W", "Ramp up 5m: 91 W to 145 W", "Steady 2m30s: 200 W", "Ramp down 30s: 100 W to 50 W",
      ])
    #expect(workout.sequence.definition.title == "Ups: and downs")
    #expect(workout.text.contains("# FTP 250 W\n"))
    #expect(workout.report.lines == ["dropped: setting SOURCE (1)"])
  }

  @Test(arguments: [
    ("MINUTES PERCENT", "t.erg", "50 % of FTP"), ("minutes\tftp", "t.erg", "50 % of FTP"),
    ("MINUTES WATTS", "t.mrc", "50 W"), ("UNITS = ENGLISH", "t.mrc", "50 % of FTP"),
    ("UNITS = METRIC", "t.erg", "50 W"),
  ])
  func `the header determines the unit of power, otherwise the file name`(
    header: String, name: String, note: String
  )
    throws
  {
    #expect(try imported(course("0 50\n1 50", header: header), name).steps == ["Steady 1m: \(note)"])
  }

  @Test func `percentages are recognized by their sign, and a late curve begins at its first power`()
    throws
  {
    #expect(
      try imported(course("1 50%\n2 50%"), "t.erg").steps == [
        "Steady 1m: 50 % of FTP", "Steady 1m: 50 % of FTP",
      ])
  }

  @Test func `messages are timed in seconds`() throws {
    let text =
      "[COURSE TEXT]\n60 On the corner\n30\tNow: \"go\"\t10\n75\tNo length\n90 Rep 3 of 5\n\t\nstray\n600\tPast\t5\n"
    let workout = try imported(course("0 50\n1 50\n2 60", text: text + "[END COURSE TEXT]"), "t.mrc")
    #expect(
      workout.steps == [
        "Steady 1m: 50 W; 0:30 Now: \"go\"",
        "Ramp up 1m: 50 W to 60 W; 0:00 On the corner; 0:15 No length; 0:30 Rep 3 of 5",
      ])
    #expect(
      workout.report.lines == [
        "dropped: display time of a message (2)", "dropped: message without a time or a text (1)",
        "dropped: message past the end (1)",
      ])
  }

  @Test func `messages are timed in minutes if a time has a fraction and all are within the workout`() throws
  {
    let minutes = "[COURSE TEXT]\n0.00\tStart\n1.50\tHalf"
    let workout = try imported(course("0 50\n2 50", text: minutes), "t.erg")
    #expect(workout.steps == ["Steady 2m: 50 W; 0:00 Start; 1:30 Half"])
    #expect(workout.report.lines == ["changed: time of a message read as minutes (2)"])
    let early = "[COURSE TEXT]\n0\tStart\n1\tGo"
    #expect(
      try imported(course("0 50\n2 50", text: early), "t.erg").steps
        == ["Steady 2m: 50 W; 0:00 Start; 0:01 Go"])
    let seconds = "[COURSE TEXT]\n0.5\tStart\n90.5\tHalf"
    #expect(
      try imported(course("0 50\n2 50", text: seconds), "t.erg").steps
        == ["Steady 2m: 50 W; 0:00.5 Start; 1:30.5 Half"])
  }

  @Test func `fractions of a minute do not add up to a drift`() throws {
    // A third of a second each, written by a program that rounds to a millionth of a minute.
    let points = (0...3000).map { "\(Double($0 * 5556) / 1_000_000) 50" }.joined(separator: "\n")
    #expect(try imported(course(points), "t.erg").total == .milliseconds(1_000_080))
  }

  @Test func `lines have any line ending, and unsupported lines are reported`() throws {
    let text = "[COURSE DATA]\r0 50\r1.00 LAP\r1 50\r\n; rest\r\n[NO SUCH]\r\nx"
    let workout = try imported(text, "lines.erg")
    #expect(workout.steps == ["Steady 1m: 50 W"])
    #expect(workout.sequence.definition.title == "lines")
    #expect(
      workout.report.lines == [
        "dropped: lap marker (1)", "dropped: section NO SUCH (1)",
        "dropped: line outside of the sections (1)",
      ])
  }

  @Test(arguments: [
    ("0 50\n1 fifty", "MINUTES WATTS", #"t.erg:7: "1 fifty" is not a pair of minutes and power"#),
    ("0 50\n-1 50", "MINUTES WATTS", #"t.erg:7: "-1 50" is not a pair of minutes and power"#),
    ("0 50\nnan 50", "MINUTES WATTS", #"t.erg:7: "nan 50" is not a pair of minutes and power"#),
    ("0 50\n1 inf", "MINUTES WATTS", #"t.erg:7: "1 inf" is not a pair of minutes and power"#),
    ("0 50\n1 50 3", "MINUTES WATTS", #"t.erg:7: "1 50 3" is not a pair of minutes and power"#),
    (
      "0 50\n2 50\n1 50", "MINUTES WATTS",
      #"t.erg:8: "1 50" is earlier than the line above; sort the lines by time"#
    ),
    ("0 50", "MINUTES WATTS", "t.erg: the file has no steps with a time, so there is nothing to count down"),
    ("0 50\n43201 50", "MINUTES WATTS", "t.erg:7: a step of 30d1m is too long; a card can last 30d at most"),
    (
      "0 50\n99999999999999999999 50", "MINUTES WATTS",
      #"t.erg:7: "99999999999999999999 50" is not a pair of minutes and power"#
    ),
    (
      "0 1 0", "DISTANCE GRADE WIND",
      "t.erg:3: this course has distances instead of times, so there is nothing to count down"
    ),
    (
      "0 50", "SECONDS WATTS",
      #"t.erg:3: "SECONDS WATTS" is neither a setting nor a pair of columns; columns are MINUTES WATTS or MINUTES PERCENT"#
    ),
  ])
  func `invalid courses are refused with the reason`(data: String, header: String, message: String) {
    #expect(refusal(course(data, header: header), "t.erg") == message)
  }

  @Test func `a file without points is refused`() {
    #expect(
      refusal("[COURSE HEADER]\nMINUTES WATTS\n", "t.erg")
        == "t.erg: [COURSE DATA] with the times is missing")
  }
}
