import Foundation
import SequenceRunner

/// Sequences for several tests.
enum Sequences {
  static func card(_ title: String, _ timing: Timing, skipsLast: Bool = false) -> SequenceElement {
    .card(Card(id: UUID(), title: title, timing: timing, skipsLastRound: skipsLast))
  }

  static func timeline(_ elements: SequenceElement...) throws -> Timeline {
    try Timeline(SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: nil))
  }

  static func countdown(_ title: String, _ seconds: Int, manual: Bool = false) -> SequenceElement {
    card(title, .countdown(.seconds(seconds), advance: manual ? .manual : .automatic))
  }

  /// 10 s, then two rounds of 20 s and 5 s whose last rest is left out, then a count-up to 60 s.
  static func workout() throws -> Timeline {
    try timeline(
      countdown("Warm up", 10),
      .group(
        Group(
          rounds: 2,
          elements: [
            countdown("Work", 20),
            card("Rest", .countdown(.seconds(5), advance: .automatic), skipsLast: true),
          ])),
      card("Stretch", .countUp(goal: Goal(duration: .seconds(60)))))
  }
}

/// A small random number generator with the same numbers in each run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  // SplitMix64 (Steele, Lea, Flood 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
