import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceImport

enum ImportTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    // For any other byte the format is detected.
    let format = bytes.first.flatMap { WorkoutFormat.allCases[safely: Int($0) - Int(UInt8(ascii: "0"))] }
    let content = Array(bytes.dropFirst())
    let workout: ImportedWorkout
    do throws(ImportError) {
      workout = try WorkoutImporter.workout(from: content, named: "fuzz", as: format)
    } catch {
      try MessageRule.check(error.description)
      let text = String(decoding: content, as: UTF8.self).unicodeScalars
      let lines = 1 + text.count { Character($0).isNewline }
      try require((1...lines).contains(error.line ?? 1), "there is no line \(error.line ?? 1)")
      return false
    }
    try check(workout)
    let again = try WorkoutImporter.workout(from: content, named: "fuzz", as: format)
    try require(again == workout, "it is read otherwise the second time")
    return true
  }

  private static func check(_ workout: ImportedWorkout) throws {
    let sequence = try SequenceFile.parse(Array(workout.text.utf8))
    try TimelineRule.check(sequence.timeline)
    for line in workout.report.lines { try MessageRule.check(line.description) }
    for card in TimelineRule.cards(sequence.definition.elements) {
      try require(TextSafety.isSafe(card.title), "a title has control characters")
      try require(TextSafety.isSafe(card.note ?? ""), "a note has control characters")
    }
  }
}

extension Array {
  fileprivate subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
