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
        "Steady 91 W 5m", "Ramp up 91 W to 145 W 5m", "Steady 200 W 2m30s", "Ramp down 100 W to 50 W 30s",
      ])
    #expect(workout.sequence.definition.title == "Ups: and downs")
    #expect(workout.text.contains("# FTP 250 W\n"))
    #expect(workout.report.lines == ["dropped: setting SOURCE (1)", "dropped: comment (1)"])
  }

  @Test(arguments: [
    ("MINUTES PERCENT", "t.erg", "50 % of FTP"), ("MINUTES PERCENTAGE", "t.erg", "50 % of FTP"),
    ("minutes\tftp", "t.erg", "50 % of FTP"),
    ("MINUTES WATTS", "t.mrc", "50 W"), ("UNITS = ENGLISH", "t.mrc", "50 % of FTP"),
    ("UNITS = METRIC", "t.erg", "50 W"),
  ])
  func `the header determines the unit of power, otherwise the file name`(
    header: String, name: String, power: String
  )
    throws
  {
    #expect(try imported(course("0 50\n1 50", header: header), name).steps == ["Steady \(power) 1m"])
  }

  @Test func `percentages are recognized by their sign, and a late curve begins at its first power`()
    throws
  {
    #expect(
      try imported(course("1 50%\n2 50%"), "t.erg").steps == [
        "Steady 50 % of FTP 1m", "Steady 50 % of FTP 1m",
      ])
  }

  @Test func `messages are timed in seconds`() throws {
    let text =
      "[COURSE TEXT]\n60 On the corner\n30\tNow: \"go\"\t10\n75\tNo length\n90 Rep 3 of 5\n\t\nstray\n600\tPast\t5\n"
    let workout = try imported(course("0 50\n1 50\n2 60", text: text + "[END COURSE TEXT]"), "t.mrc")
    #expect(
      workout.steps == [
        "Steady 50 W 1m: 0:30 Now: \"go\"",
        "Ramp up 50 W to 60 W 1m: 0:00 On the corner; 0:15 No length; 0:30 Rep 3 of 5",
      ])
    #expect(
      workout.report.lines == [
        "dropped: display time of a message (2)", #"dropped: message "stray" without a time or a text (1)"#,
        "dropped: message past the end (1)",
      ])
  }

  @Test func `messages are timed in minutes if a time has a fraction and all are within the workout`() throws
  {
    let minutes = "[COURSE TEXT]\n0.00\tStart\n1.50\tHalf"
    let workout = try imported(course("0 50\n2 50", text: minutes), "t.erg")
    #expect(workout.steps == ["Steady 50 W 2m: 0:00 Start; 1:30 Half"])
    #expect(workout.report.lines == ["changed: time of a message read as minutes (2)"])
    let coarse = "[COURSE TEXT]\n0.67\tForty"
    #expect(
      try imported(course("0 50\n2 50", text: coarse), "t.erg").steps == ["Steady 50 W 2m: 0:40 Forty"])
    let early = "[COURSE TEXT]\n0\tStart\n1\tGo"
    #expect(
      try imported(course("0 50\n2 50", text: early), "t.erg").steps
        == ["Steady 50 W 2m: 0:00 Start; 0:01 Go"])
    let seconds = "[COURSE TEXT]\n0.5\tStart\n90.5\tHalf"
    #expect(
      try imported(course("0 50\n2 50", text: seconds), "t.erg").steps
        == ["Steady 50 W 2m: 0:00.5 Start; 1:30.5 Half"])
  }

  @Test func `fractions of a minute do not add up to a drift`() throws {
    // A third of a second each, written by a program that rounds to a millionth of a minute.
    let points = (0...3000).map { "\(Double($0 * 5556) / 1_000_000) 50" }.joined(separator: "\n")
    #expect(try imported(course(points), "t.erg").total == .milliseconds(1_000_080))
  }

  @Test func `lines have any line ending, and unsupported lines are reported`() throws {
    let text = "[COURSE DATA]\r0 50\r1.00 LAP\r1 50\r\n; rest\r\n[NO SUCH]\r\nx"
    let workout = try imported(text, "lines.erg")
    #expect(workout.steps == ["Steady 50 W 1m"])
    #expect(workout.sequence.definition.title == "lines")
    #expect(
      workout.report.lines == [
        "dropped: lap marker (1)", "dropped: comment (1)", "dropped: line of [NO SUCH] (1)",
      ])
    let outside = try imported("stray\n" + course("0 50\n1 50"), "t.erg")
    #expect(outside.report.lines == ["dropped: line outside of the sections (1)"])
  }

  @Test func `names of intervals are titles, and an empty section is no loss`() throws {
    let sections = """
      [INTERVAL DATA]
      0\t300\tWorkout
      60\t120\tThreshold: hard
      120 180 Over Under
      130 140 Never
      x
      [END INTERVAL DATA]
      [MODE DATA]
      [END MODE DATA]
      [ZONE DATA]
      a
      b
      [END ZONE DATA]
      """
    let data = "0 50\n1 50\n1 100\n2 100\n2 90\n2.5 90\n2.5 110\n3 110\n3 50\n5 50"
    let workout = try imported(course(data, header: "MINUTES PERCENT", text: sections), "t.mrc")
    #expect(
      workout.steps == [
        "Steady 50 % of FTP 1m", "Threshold: hard 100 % of FTP 1m", "Over Under 90 % of FTP 30s",
        "Over Under 110 % of FTP 30s", "Steady 50 % of FTP 2m",
      ])
    #expect(
      workout.report.lines == [
        "dropped: line of [INTERVAL DATA] (1)", "dropped: line of [ZONE DATA] (2)",
        "dropped: name of an interval (2)",
      ])
  }

  @Test func `a display time stands after the time or after the text`() throws {
    let text = "[COURSE TEXT]\n0\t10\tSit up\n30\tGo\t5\n"
    let workout = try imported(course("0 50\n1 50", text: text), "t.mrc")
    #expect(workout.steps == ["Steady 50 W 1m: 0:00 Sit up; 0:30 Go"])
    #expect(workout.report.lines == ["dropped: display time of a message (2)"])
  }

  @Test func `two digits after the point are the nearest second, and more are the second that they can mean`()
    throws
  {
    let points = "0.00 50\n0.67 50\n0.67 90\n1.00 90\n3.83 90\n4.5 90\n4.667 90\n4.8333 90\n4.9 90\n5.0001 90"
    #expect(
      try imported(course(points), "t.mrc").steps.compactMap { $0.split(separator: " ").last } == [
        "40s", "20s", "2m50s", "40s", "10s", "10s", "4s", "6.006s",
      ])
    let twenty = (0..<10).map { number in
      let start = Double(number)
      return "\(start) 90\n\(start + 0.67) 90\n\(start + 0.67) 50\n\(start + 1) 50"
    }.joined(separator: "\n")
    let steps = try imported(course(twenty), "t.erg").steps
    #expect(steps == Array(repeating: ["Steady 90 W 40s", "Steady 50 W 20s"], count: 10).flatMap { $0 })
  }

  @Test func `times stay as written if a later time would come before an earlier one`() throws {
    #expect(
      try imported(course("0 50\n0.669 50\n0.67 60\n1 60"), "t.mrc").steps
        == ["Steady 50 W 40.14s", "Ramp up 50 W to 60 W 0.06s", "Steady 60 W 19.8s"])
    #expect(
      try imported(
        course("0 50\n0.674 50\n0.67401 60\n0.6741 60\n0.6742 60\n0.675 60\n0.68 60\n0.6801 60"), "t.mrc"
      ).total
        == .milliseconds(40_806))
  }

  @Test func `a step that rounding removes is reported`() throws {
    let workout = try imported(course("0 50\n0.66 50\n0.67 90\n2 90"), "t.erg")
    #expect(workout.steps == ["Steady 50 W 40s", "Steady 90 W 1m20s"])
    #expect(workout.report.lines == ["dropped: step of less than a second (1)"])
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
