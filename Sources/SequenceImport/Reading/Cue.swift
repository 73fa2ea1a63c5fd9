import SequencePlatform
import SequenceRunner

/// A message that another program shows during a workout.
struct Cue {
  /// The time from the start of the workout.
  let moment: Duration
  /// The text; one line.
  let text: String
}

extension WorkoutDraft {
  /// Adds each message to the note of the card that is current at its time, with the time from the card's
  /// start.
  ///
  /// Messages of one moment are one text. In a group the round precedes it, because the note belongs to every round.
  /// Messages past the end are dropped.
  ///
  /// - Complexity: O(elements + messages × cards of a group).
  mutating func place(_ cues: [Cue]) {
    var start = Duration.zero
    var index = 0
    // Messages of one moment stay in the order of the file.
    let cues = cues.map { (moment: Boundaries.rounded($0.moment), text: $0.text) }
    for (moment, text) in cues.sorted(by: { $0.moment < $1.moment }) {
      while index < elements.count, start + elements[index].wholeLength <= moment {
        start += elements[index].wholeLength
        index += 1
      }
      guard index < elements.count else {
        report.drop("message past the end")
        continue
      }
      elements[index].add(text, at: moment - start, in: [])
    }
  }
}

extension WorkoutElement {
  /// Adds a message at a time between the element's start and end.
  fileprivate mutating func add(_ text: String, at moment: Duration, in rounds: [Int]) {
    switch self {
    case .card(var card):
      let round = rounds.isEmpty ? "" : "round \(rounds.map(String.init).joined(separator: ".")) at "
      // The card must have no other owner, so that appending does not copy its notes.
      self = .group(rounds: 0, [])
      let place = "\(round)\(WorkoutElement.offset(moment)) "
      if card.notes.last?.hasPrefix(place) == true {
        card.notes[card.notes.count - 1] += " \(text)"
      } else {
        card.notes.append(place + text)
      }
      self = .card(card)
    case .group(let count, var elements):
      let round = Int(moment.nanoseconds / length.nanoseconds)
      var rest = moment - length * round
      self = .group(rounds: 0, [])
      for index in elements.indices {
        guard rest >= elements[index].wholeLength else {
          elements[index].add(text, at: rest, in: rounds + [round + 1])
          break
        }
        rest -= elements[index].wholeLength
      }
      self = .group(rounds: count, elements)
    }
  }

  /// Formats a time as `1:05`, with hours and a fraction if it has any.
  fileprivate static func offset(_ duration: Duration) -> String {
    let (seconds, fraction) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
    let padded = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    let time =
      minutes < 60
      ? "\(minutes):\(padded(second))" : "\(minutes / 60):\(padded(minutes % 60)):\(padded(second))"
    guard fraction > 0 else { return time }
    return time + DurationText.format(.nanoseconds(fraction)).dropFirst().dropLast()
  }
}

extension WorkoutElement {
  /// The duration of one round; count-ups add nothing.
  var length: Duration {
    switch self {
    case .card(let card): card.timing.duration ?? .zero
    case .group(_, let elements): elements.reduce(.zero) { $0 + $1.wholeLength }
    }
  }

  /// The duration of all rounds.
  var wholeLength: Duration {
    switch self {
    case .card: length
    case .group(.times(let rounds), _): length * rounds
    case .group(.forever, _): .nanoseconds(Int64.max)
    }
  }
}
