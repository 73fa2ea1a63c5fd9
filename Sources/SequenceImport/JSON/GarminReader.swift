import SequenceRunner

/// A reader for workouts of Garmin Connect.
///
/// Steps become cards, and repeat groups become groups.
///
/// A step that ends by the lap button, a distance or anything else than time becomes a count-up. There is no
/// specification; the structure is that of Connect's web service.
enum GarminReader {
  static func draft(
    of text: String, named name: String, _ report: ImportReport
  ) throws(ImportError) -> WorkoutDraft {
    let workout = try ForeignJSON.decode(GarminWorkout.self, from: text)
    var draft = WorkoutDraft(title: "", report: report)
    draft.title = PlainText.line(workout.workoutName ?? "", &draft.report)
    if draft.title.isEmpty { draft.title = PlainText.title(ofFileNamed: name, &draft.report) }
    draft.comments = PlainText.lines(workout.description ?? "", &draft.report)
    for segment in workout.workoutSegments {
      draft.elements += try elements(segment.workoutSteps, &draft.report)
    }
    return draft
  }

  private static func elements(
    _ steps: [GarminStep], _ report: inout ImportReport
  ) throws(ImportError) -> [WorkoutElement] {
    var elements: [WorkoutElement] = []
    for step in steps {
      if let inner = step.workoutSteps {
        elements += try group(step, inner, &report)
      } else if let timing = try timing(step, &report) {
        elements.append(.card(card(step, timing, &report)))
      }
    }
    return elements
  }

  private static func group(
    _ step: GarminStep, _ inner: [GarminStep], _ report: inout ImportReport
  ) throws(ImportError) -> [WorkoutElement] {
    let rounds: Int
    if let condition = step.endCondition?.conditionTypeKey, condition != "iterations" {
      rounds = 1
      report.change("repeat group until \(PlainText.name(condition)), now one round")
    } else {
      guard let count = step.numberOfIterations ?? step.endConditionValue.flatMap(Int.init(exactly:)),
        (1...SequenceLimits.mostSteps).contains(count)
      else {
        throw ImportError("a repeat group has no numberOfIterations from 1 to \(SequenceLimits.mostSteps)")
      }
      rounds = count
    }
    var elements = try elements(inner, &report)
    if step.skipLastRestStep == true, case .card(var card)? = elements.last, rounds > 1 {
      card.skipsLastRound = true
      elements[elements.count - 1] = .card(card)
    }
    guard !elements.isEmpty else {
      report.drop("repeat group without steps")
      return []
    }
    return rounds == 1 ? elements : [.group(rounds: .times(rounds), elements)]
  }

  /// Returns the timing of a step; `nil` if it has no duration.
  private static func timing(
    _ step: GarminStep, _ report: inout ImportReport
  ) throws(ImportError) -> Timing? {
    guard let end = step.endCondition?.conditionTypeKey, ["time", "fixed.rest"].contains(end) else {
      return .countUp(goal: nil)
    }
    guard let value = step.endConditionValue else {
      throw ImportError("a step that ends by time has no endConditionValue")
    }
    guard let duration = DecimalNumber.duration(value), duration <= SequenceLimits.longestDuration else {
      throw ImportError("the endConditionValue \(value) is not a time in seconds of at most 30 days")
    }
    guard duration > .zero else {
      report.drop("step without time")
      return nil
    }
    return .countdown(duration, advance: .automatic)
  }

  private static func card(
    _ step: GarminStep, _ timing: Timing, _ report: inout ImportReport
  ) -> WorkoutCard {
    let notes = [step.end(&report), step.weight(&report), step.target(&report)].compactMap { $0 }
    if step.strokeType?.strokeTypeKey != nil { report.drop("stroke") }
    if step.equipmentType?.equipmentTypeKey != nil { report.drop("equipment") }
    let description = PlainText.line(step.description ?? "", &report)
    return WorkoutCard(
      title: step.title(&report), notes: notes + (description.isEmpty ? [] : [description]), timing: timing)
  }
}
