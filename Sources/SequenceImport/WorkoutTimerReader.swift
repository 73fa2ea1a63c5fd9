import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for workouts of Just Another Workout Timer, and for backups with one workout.
///
/// Sets become groups.
///
/// Source: lib/utils/workout.dart of github.com/blockbasti/just_another_workout_timer.
enum WorkoutTimerReader: WorkoutReader {
  static let readsJSON = true

  static func recognizes(_ text: String) -> Bool { text.contains("\"exercises\"") }

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    let workout = try workout(of: text)
    var title = PlainText.line(workout.title ?? "", &report)
    if title.isEmpty { title = PlainText.title(ofFileNamed: name, &report) }
    var elements: [SequenceElement] = []
    for set in workout.sets {
      guard (0...SequenceLimits.mostSteps).contains(set.repetitions) else {
        throw ImportError(
          "\(set.repetitions) is not a number of repetitions from 0 to \(SequenceLimits.mostSteps)")
      }
      let cards = try cards(of: set, &report)
      guard set.repetitions > 0, !cards.isEmpty else {
        report.drop("set without exercises")
        continue
      }
      elements +=
        set.repetitions == 1 ? cards : [.group(Group(rounds: .times(set.repetitions), elements: cards))]
    }
    return SequenceDefinition(title) { for element in elements { element } }
  }

  private static func workout(of text: String) throws(ImportError) -> Workout {
    let file = try ForeignJSON.decode(File.self, from: text)
    let workouts = file.workouts ?? [Workout(title: file.title, sets: file.sets ?? [])]
    guard let workout = workouts.first, workouts.count == 1 else {
      let titles = workouts.prefix(10).map { quoted($0.title ?? "") }.joined(separator: ", ")
      throw ImportError(
        "the file has \(workouts.count) workouts: \(titles)", remedy: "export one of them")
    }
    return workout
  }

  private static func cards(
    of set: Set, _ report: inout ImportReport
  ) throws(ImportError) -> [SequenceElement] {
    let note = PlainText.line(set.name ?? "", &report)
    var cards: [SequenceElement] = []
    for exercise in set.exercises {
      guard let duration = DecimalNumber.duration(exercise.duration),
        duration <= SequenceLimits.longestDuration
      else {
        throw ImportError("\(String(exercise.duration)) is not a duration in seconds of at most 30 days")
      }
      guard duration > .zero else {
        report.drop("exercise without time")
        continue
      }
      let title = PlainText.line(exercise.name, &report)
      cards.append(
        .card(
          Card(
            title.isEmpty ? "Exercise" : title, .countdown(duration, advance: .automatic),
            note: note.isEmpty ? nil : note)))
    }
    return cards
  }

  private struct File: Decodable {
    let workouts: [Workout]?
    let title: String?
    let sets: [Set]?
  }

  private struct Workout: Decodable {
    let title: String?
    let sets: [Set]
  }

  private struct Set: Decodable {
    let name: String?
    let repetitions: Int
    let exercises: [Exercise]
  }

  private struct Exercise: Decodable {
    let name: String
    /// The duration in seconds.
    let duration: Double
  }
}
