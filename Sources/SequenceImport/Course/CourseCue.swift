import SequenceRunner

/// A message of `[COURSE TEXT]`: a time, a text, and optionally a display time.
struct CourseCue {
  private let time: Substring
  private let text: String

  /// Parses a line; `nil` if it has no time or no text.
  ///
  /// Tabs separate the columns. Without tabs the time ends at the first space and the rest is text, even a
  /// number at the end, because nothing marks it as a display time.
  init?(_ line: Substring, _ report: inout ImportReport) {
    let columns = line.split(separator: "\t").map { $0.trimming(while: \.isWhitespace) }
    let time: Substring
    var words: [Substring]
    if let first = columns.first, columns.count > 1 {
      time = first
      words = Array(columns.dropFirst())
      // The display time is the last column, or the one after the time.
      let isNumber = words.map { DecimalNumber.duration($0) != nil }
      if words.count > 1, isNumber.last == true {
        words.removeLast()
        report.drop("display time of a message")
      } else if words.count > 1, isNumber.first == true {
        words.removeFirst()
        report.drop("display time of a message")
      }
    } else {
      time = line.prefix { !$0.isWhitespace }
      words = [line.dropFirst(time.count)]
    }
    text = PlainText.line(words.joined(separator: " "), &report)
    guard DecimalNumber.duration(time) != nil, !text.isEmpty else { return nil }
    self.time = time
  }

  /// Returns whether the times of the messages are minutes, like those of the points, rather than seconds.
  ///
  /// Most programs write seconds, without a fraction. The times are taken as minutes if any has a fraction
  /// and all of them are within the workout.
  static func areInMinutes(_ cues: [CourseCue], of total: Duration) -> Bool {
    cues.contains { $0.time.contains(".") }
      && cues.allSatisfy { cue in DecimalNumber.duration(cue.time, unit: 60).map { $0 <= total } == true }
  }

  /// Returns the message with its time from the start of the workout.
  ///
  /// - Parameter unit: the unit of its time in seconds.
  func cue(unit: Int) -> Cue? {
    DecimalNumber.duration(time, unit: unit).map { moment in
      Cue(moment: unit == 60 ? DecimalNumber.minutes(moment, writtenAs: time) : moment, text: text)
    }
  }
}
