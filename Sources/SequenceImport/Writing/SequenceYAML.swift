import SequenceFiles
import SequenceRunner

/// A writer of sequence files.
struct SequenceYAML {
  private var lines: [String] = []
  private var size = 0

  /// - Throws: `ImportError` as soon as the text exceeds the largest size of a sequence file.
  static func text(of draft: WorkoutDraft) throws(ImportError) -> String {
    var file = SequenceYAML()
    for line in draft.comments { try file.write("# \(comment(line))") }
    try file.write("title: \(scalar(draft.title))")
    try file.write("cards:")
    try file.write(draft.elements, depth: 1)
    return file.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ line: String) throws(ImportError) {
    lines.append(line)
    size += line.utf8.count + 1
    guard size <= SequenceLimits.largestFile else {
      throw ImportError("the converted sequence is larger than 1 MiB", remedy: "split the workout")
    }
  }

  private mutating func write(_ elements: [WorkoutElement], depth: Int) throws(ImportError) {
    let indent = String(repeating: "  ", count: 2 * depth - 1)
    for element in elements {
      switch element {
      case .card(let card):
        try write("\(indent)- title: \(SequenceYAML.scalar(card.title))")
        if let note = card.note { try write("\(indent)  note: \(SequenceYAML.scalar(note))") }
        for line in SequenceYAML.timing(card.timing) { try write("\(indent)  \(line)") }
        if card.skipsLastRound { try write("\(indent)  skipLast: true") }
      case .group(let rounds, let inner):
        try write("\(indent)- rounds: \(rounds.text)")
        try write("\(indent)  cards:")
        try write(inner, depth: depth + 1)
      }
    }
  }

  private static func timing(_ timing: Timing) -> [String] {
    switch timing {
    case .countdown(let duration, let advance):
      let countdown = "countdown: \(DurationText.format(duration))"
      return advance == .manual ? [countdown, "advance: manual"] : [countdown]
    case .countUp(nil): return ["countUp: {}"]
    case .countUp(let goal?): return ["countUp: { goal: \(DurationText.format(goal.duration)) }"]
    }
  }

  /// Returns a scalar that parses as the text: plain if that is safe, otherwise in double quotes.
  static func scalar(_ text: String) -> String {
    let isPlain =
      isWordy(text) && text.last != " "
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          || " _.%()/+-;'!".unicodeScalars.contains(scalar)
      }
    guard !isPlain else { return text }
    return "\"" + text.unicodeScalars.map(YAMLValue.escaped).joined() + "\""
  }

  /// Returns whether a text can begin a plain scalar, and no YAML parser takes it for a number, boolean or
  /// null.
  private static func isWordy(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII else { return false }
    if first.isNumber { return text.contains(" ") }
    return first.isLetter
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
  }

  /// Returns a line for a comment, without the characters that YAML does not allow; comments have no escapes.
  private static func comment(_ line: String) -> String {
    String(String.UnicodeScalarView(line.unicodeScalars.filter(YAMLValue.isPrintable)))
  }
}
