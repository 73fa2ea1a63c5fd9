import SequencePlatform
import SequenceFiles
import SequenceRunner

enum CardTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let count = bytes.first.map(Int.init) ?? 1
    let rounds: Rounds = count == 255 ? .forever : .times(count)
    let specs = String(decoding: bytes.dropFirst(), as: UTF8.self).split(separator: "\n").map(String.init)
    let timeline: Timeline
    do throws(Problem) {
      timeline = try CardSpec.sequence(cards: specs, rounds: rounds)
    } catch {
      try MessageRule.check(error.description)
      return false
    }
    try TimelineRule.check(timeline)
    let steps = rounds == .forever ? nil : specs.count * count
    try require(timeline.count == steps, "\(String(describing: timeline.count)) steps")
    for (index, spec) in specs.enumerated() { try check(timeline.card(at: index), spec) }
    return true
  }

  /// Checks that only white space and the duration, at one end, are missing from the title.
  private static func check(_ card: Card, _ spec: String) throws {
    // A word may begin with a combining mark, which makes one character with the space before it.
    let words = spec.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { Substring($0) }
    let count = card.title.unicodeScalars.split(separator: " ").count
    let isRest = [words.prefix(count), words.suffix(count)].contains {
      $0.joined(separator: " ") == card.title
    }
    try require(isRest, "the title is \(card.title)")
    try require(count < words.count || card.timing.duration == nil, "there is no duration")
  }
}
