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
    return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
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
    String(String.UnicodeScalarView(line.unicodeScalars.filter(isPrintable)))
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    default:
      guard !isPrintable(scalar) else { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let length = scalar.value <= 0xFF ? 2 : scalar.value <= 0xFFFF ? 4 : 8
      let letter = length == 2 ? "x" : length == 4 ? "u" : "U"
      return "\\\(letter)" + String(repeating: "0", count: length - digits.count) + digits
    }
  }

  /// Returns whether a character can be written without an escape.
  ///
  /// Source: YAML 1.1, section 4.1.1, without line breaks and the byte order mark.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2028, 0x2029, 0xFEFF: false
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
