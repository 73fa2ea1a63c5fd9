import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceImport

func imported(_ text: String, _ name: String, as format: WorkoutFormat? = nil) throws -> Imported {
  try imported(Array(text.utf8), name, as: format)
}

func imported(_ bytes: [UInt8], _ name: String, as format: WorkoutFormat? = nil) throws -> Imported {
  let workout = try WorkoutImporter.workout(from: bytes, named: name, as: format)
  return Imported(workout: workout, sequence: try SequenceFile.parse(Array(workout.text.utf8)))
}

func refusal(_ text: String, _ name: String, as format: WorkoutFormat? = nil) -> String? {
  refusal(of: Array(text.utf8), name, as: format)
}

func refusal(of bytes: [UInt8], _ name: String, as format: WorkoutFormat? = nil) -> String? {
  do throws(ImportError) {
    _ = try WorkoutImporter.workout(from: bytes, named: name, as: format)
    return nil
  } catch {
    return error.problem(inFile: name).description
  }
}

struct Imported {
  let workout: ImportedWorkout
  let sequence: SequenceFile

  var format: WorkoutFormat { workout.format }
  var text: String { workout.text }
  var report: ImportReport { workout.report }

  /// The steps as lines, each with title, duration and note.
  var steps: [String] {
    (0..<sequence.timeline.listedCount).map { index in
      let card = sequence.timeline.step(at: index).card
      let time =
        switch card.timing {
        case .countdown(let duration, .automatic): DurationText.format(duration)
        case .countdown(let duration, .manual): DurationText.format(duration) + ", waits"
        case .countUp(nil): "until done"
        case .countUp(let goal?): "goal \(DurationText.format(goal.duration))"
        }
      return "\(card.title) \(time)" + (card.note.map { ": \($0)" } ?? "")
    }
  }

  var total: Duration { sequence.timeline.duration(of: 0..<sequence.timeline.listedCount) }
}
