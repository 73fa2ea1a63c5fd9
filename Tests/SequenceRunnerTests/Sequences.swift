import Foundation
import SequenceRunner

/// Sequences for several tests.
enum Sequences {
  static func card(_ title: String, _ timing: Timing, skipsLast: Bool = false) -> SequenceElement {
    .card(Card(id: UUID(), title: title, timing: timing, skipsLastRound: skipsLast))
  }

  static func timeline(_ elements: SequenceElement...) throws -> Timeline {
    try Timeline(
      SequenceDefinition(id: UUID(), title: "Test", elements: elements, onSuspend: nil, onLock: nil))
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
