import SequenceRunner

/// A message of `[COURSE TEXT]`: a time, a text, and maybe for how long it is shown.
struct CourseCue {
  private let time: Substring
  private let text: String

  /// Reads a line; `nil` if there is no time or no text in it.
  ///
  /// Tabs separate the columns. Without tabs the time ends at the first space, and the rest is text, a number at its
  /// end too: whether that is how long the text is shown, nothing tells.
  init?(_ line: Substring, _ report: inout ImportReport) {
    let columns = line.split(separator: "\t").map { $0.trimming(while: \.isWhitespace) }
    let time: Substring
    var words: [Substring]
    if let first = columns.first, columns.count > 1 {
      time = first
      words = Array(columns.dropFirst())
      if words.count > 1, let last = words.last, DecimalNumber.duration(last) != nil {
        words.removeLast()
        report.drop("how long a message is shown")
      }
    } else {
      time = line.prefix { !$0.isWhitespace }
      words = [line.dropFirst(time.count)]
    }
    text = PlainText.line(words.joined(separator: " "), &report)
    guard DecimalNumber.duration(time) != nil, !text.isEmpty else { return nil }
    self.time = time
  }

  /// Whether the times of messages are minutes, as the points have them, and not seconds, as most programs write them.
  ///
  /// They are if one has a fraction, which seconds do not have, and all lie in the workout then.
  static func areInMinutes(_ cues: [CourseCue], of total: Duration) -> Bool {
    cues.contains { $0.time.contains(".") }
      && cues.allSatisfy { cue in DecimalNumber.duration(cue.time, unit: 60).map { $0 <= total } == true }
  }

  /// The message with its moment.
  ///
  /// - Parameter unit: how many seconds one of its time is.
  func cue(unit: Int) -> Cue? {
    DecimalNumber.duration(time, unit: unit).map { Cue(moment: $0, text: text) }
  }
}
