import SequencePlatform
import SequenceFiles
import SequenceRunner

struct TimedMessage {
  var moment: Duration
  let text: String
  /// The rounds of the groups around it, outermost first; they precede it, because a note belongs to every round.
  var rounds: [Int] = []

  /// Adds each message to the note of the card that is current at its time, with the time from the card's start.
  ///
  /// Messages of one moment are one text. Messages past the end are dropped.
  ///
  /// - Complexity: O(elements + messages × cards of a group).
  static func place(
    _ messages: [TimedMessage], in elements: [SequenceElement], _ report: inout ImportReport
  ) -> [SequenceElement] {
    let rounded = messages.map { TimedMessage(moment: Boundaries.rounded($0.moment), text: $0.text) }
    // Messages of one moment stay in the order of the file.
    var rest = rounded.sorted { $0.moment < $1.moment }[...]
    var start = Duration.zero
    let placed = elements.map { element in
      let own = rest.prefix { $0.moment < start + wholeLength(of: element) }
      rest.removeFirst(own.count)
      defer { start += wholeLength(of: element) }
      return adding(own.map { $0.relative(to: start) }, to: element)
    }
    report.drop("message past the end", count: rest.count)
    return placed
  }

  private static func adding(_ messages: [TimedMessage], to element: SequenceElement) -> SequenceElement {
    guard !messages.isEmpty else { return element }
    switch element {
    case .card(let card):
      return .card(
        Card(
          card.title, card.timing, note: note(card.note, messages), skipsLastRound: card.skipsLastRound))
    case .group(let group):
      let length = length(of: group)
      let messages = messages.map { message in
        let round = Int(message.moment.nanoseconds / length.nanoseconds)
        var message = message.relative(to: length * round)
        message.rounds.append(round + 1)
        return message
      }
      var start = Duration.zero
      let elements = group.elements.map { element in
        let end = start + wholeLength(of: element)
        defer { start = end }
        return adding(
          messages.filter { (start..<end).contains($0.moment) }.map { $0.relative(to: start) }, to: element)
      }
      return .group(Group(rounds: group.rounds, elements: elements))
    }
  }

  private static func note(_ note: String?, _ messages: [TimedMessage]) -> String {
    var parts = note.map { [$0] } ?? []
    var last: String?
    for message in messages {
      let place = message.place
      if place == last {
        parts[parts.count - 1] += " \(message.text)"
      } else {
        parts.append("\(place) \(message.text)")
      }
      last = place
    }
    return parts.joined(separator: "; ")
  }

  private func relative(to start: Duration) -> TimedMessage {
    TimedMessage(moment: moment - start, text: text, rounds: rounds)
  }

  /// The rounds and the time as `1:05`, with hours and a fraction if it has any.
  private var place: String {
    let round = rounds.isEmpty ? "" : "round \(rounds.map(String.init).joined(separator: ".")) at "
    let (seconds, fraction) = moment.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
    let padded = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    let time =
      minutes < 60
      ? "\(minutes):\(padded(second))" : "\(minutes / 60):\(padded(minutes % 60)):\(padded(second))"
    guard fraction > 0 else { return round + time }
    return round + time + DurationText.format(.nanoseconds(fraction)).dropFirst().dropLast()
  }

  /// The duration of one round; count-ups add nothing.
  private static func length(of group: Group) -> Duration {
    group.elements.reduce(.zero) { $0 + wholeLength(of: $1) }
  }

  private static func wholeLength(of element: SequenceElement) -> Duration {
    switch element {
    case .card(let card): card.timing.duration ?? .zero
    case .group(let group):
      switch group.rounds {
      case .times(let rounds): length(of: group) * rounds
      case .forever: .nanoseconds(Int64.max)
      }
    }
  }
}
