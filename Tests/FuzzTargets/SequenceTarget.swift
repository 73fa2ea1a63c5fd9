import SequencePlatform
import SequenceFiles
import SequenceRunner

enum SequenceTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let parsed: SequenceFile
    do throws(SequenceFileError) {
      parsed = try SequenceFile.parse(bytes)
    } catch {
      try MessageRule.check(error, of: bytes)
      return false
    }
    try check(parsed, of: bytes)
    try DocumentRule.check(bytes)
    return true
  }

  private static func check(_ parsed: SequenceFile, of bytes: [UInt8]) throws {
    try require(try SequenceFile.parse(bytes) == parsed, "it is read otherwise the second time")
    for remark in parsed.remarks {
      try MessageRule.check(remark.text.description)
      try MessageRule.check(remark.position, in: bytes)
    }
    try TimelineRule.check(parsed.timeline)
    let size = try census(bytes)
    try require(
      parsed.timeline.listedCount == size.steps,
      "\(size.steps) steps were counted, not \(parsed.timeline.listedCount)")
    let cards = TimelineRule.cards(parsed.definition.elements)
    try require(cards.count == size.cards, "\(size.cards) cards were counted, and not \(cards.count)")
    try require(Set(cards.map(\.id)).count == cards.count, "two cards have the same id")
    do {
      // It reads back what it wrote.
      _ = try SequenceDocument(parsed.definition)
    } catch let error as SequenceFileError {
      // With its aliases written out, a file may exceed the limits of one.
      try require(
        error.problem.text.description.contains("larger than"), "the sequence can't be written: \(error)")
    }
    guard parsed.timeline.listedCount <= 100 else { return }
    let start = ClockReading(
      wall: Moment(microseconds: 1_790_000_000_000_000), boot: .seconds(1000), bootID: "boot")
    for first in Set([0, parsed.timeline.listedCount / 2]) {
      try RunRule.check(ActiveRunSnapshot(timeline: parsed.timeline, firstStep: first, at: start))
    }
  }

  private static func census(_ bytes: [UInt8]) throws -> StepCounter.Size {
    guard case .mapping(let entries) = try SequenceFile.root(of: bytes)?.content,
      let cards = entries.first(where: { $0.key == "cards" })
    else { throw PropertyViolation(description: "a file without cards was taken") }
    var census = StepCounter()
    return try census.count(ofCardsIn: cards.value, depth: 0)
  }
}
