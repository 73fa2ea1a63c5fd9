import FoundationEssentials
import SequenceRunner

/// A workout of exercises with rests, as the assistant asks for it.
struct WorkoutPlan: Equatable {
  var title = translated("Workout")
  var exercises: [String] = []
  var work = Duration.seconds(20)
  var rest = Duration.seconds(10)
  var rounds = 1
  /// The time before the first exercise; zero for none.
  var getReady = Duration.seconds(10)
  /// A longer rest after an exercise, counted from 1, in the place of the usual one.
  var longerRest: (after: Int, length: Duration)?

  static func == (first: WorkoutPlan, other: WorkoutPlan) -> Bool {
    first.sequence == other.sequence && first.exercises == other.exercises
  }

  /// The sequence of the workout; its cards have no ids of their own in the file.
  var sequence: SequenceDefinition {
    var elements: [SequenceElement] = []
    if getReady > .zero { elements.append(card(translated("Get ready"), getReady)) }
    let round = cards
    if rounds > 1 {
      elements.append(.group(Group(rounds: .times(rounds), elements: round)))
    } else {
      elements += round
    }
    return SequenceDefinition(id: UUID(), title: title, elements: elements, onSuspend: nil, onLock: nil)
  }

  /// One round: a rest follows each exercise, but the last one of the workout.
  private var cards: [SequenceElement] {
    exercises.enumerated().flatMap { index, exercise -> [SequenceElement] in
      let isLast = index == exercises.count - 1
      guard !isLast || rounds > 1 else { return [card(exercise, work)] }
      let isLonger = longerRest?.after == index + 1
      let length = isLonger ? longerRest?.length ?? rest : rest
      guard length > .zero else { return [card(exercise, work)] }
      let name = isLonger ? translated("Long rest") : translated("Rest")
      return [card(exercise, work), card(name, length, isRest: true, skipsLastRound: isLast)]
    }
  }

  private func card(
    _ title: String, _ length: Duration, isRest: Bool = false, skipsLastRound: Bool = false
  ) -> SequenceElement {
    .card(
      Card(
        id: UUID(), title: title, timing: .countdown(length), skipsLastRound: skipsLastRound, isRest: isRest))
  }
}
