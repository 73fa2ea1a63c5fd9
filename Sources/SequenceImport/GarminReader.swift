import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for workouts of Garmin Connect.
///
/// Steps become cards, and repeat groups become groups.
///
/// A step that ends by the lap button, a distance or anything else than time becomes a count-up. There is no
/// specification; the structure is that of Connect's web service.
enum GarminReader: WorkoutReader {
  static let readsJSON = true

  static func recognizes(_ text: String) -> Bool { text.contains("\"workoutSegments\"") }

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    let workout = try ForeignJSON.decode(GarminWorkout.self, from: text)
    var title = PlainText.line(workout.workoutName ?? "", &report)
    if title.isEmpty { title = PlainText.title(ofFileNamed: name, &report) }
    report.comments = PlainText.lines(workout.description ?? "", &report)
    var all: [SequenceElement] = []
    for segment in workout.workoutSegments { all += try elements(segment.workoutSteps, &report) }
    return SequenceDefinition(title) { for element in all { element } }
  }

  private static func elements(
    _ steps: [GarminStep], _ report: inout ImportReport
  ) throws(ImportError) -> [SequenceElement] {
    var elements: [SequenceElement] = []
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
  ) throws(ImportError) -> [SequenceElement] {
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
    if step.skipLastRestStep == true, case .card(let card)? = elements.last, rounds > 1 {
      let last = Card(card.title, card.timing, note: card.note, skipsLastRound: true)
      elements[elements.count - 1] = .card(last)
    }
    guard !elements.isEmpty else {
      report.drop("repeat group without steps")
      return []
    }
    return rounds == 1 ? elements : [.group(Group(rounds: .times(rounds), elements: elements))]
  }

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
      throw ImportError("the endConditionValue \(String(value)) is not a time in seconds of at most 30 days")
    }
    guard duration > .zero else {
      report.drop("step without time")
      return nil
    }
    return .countdown(duration, advance: .automatic)
  }

  private static func card(
    _ step: GarminStep, _ timing: Timing, _ report: inout ImportReport
  ) -> Card {
    var notes = [step.end(&report), step.weight(&report), step.target(&report)].compactMap { $0 }
    if step.strokeType?.strokeTypeKey != nil { report.drop("stroke") }
    if step.equipmentType?.equipmentTypeKey != nil { report.drop("equipment") }
    let description = PlainText.line(step.description ?? "", &report)
    if !description.isEmpty { notes.append(description) }
    return Card(
      step.title(&report), timing, note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }
}

private struct GarminWorkout: Decodable {
  let workoutName: String?
  let description: String?
  let workoutSegments: [Segment]

  struct Segment: Decodable {
    let workoutSteps: [GarminStep]
  }
}

private struct GarminStep: Decodable {
  let stepType: StepType?
  let description: String?
  let category: String?
  let exerciseName: String?
  let endCondition: EndCondition?
  let endConditionValue: Double?
  /// `gt` or `lt` if the step ends above or below the value.
  let endConditionCompare: String?
  let targetType: TargetType?
  let targetValueOne: Double?
  let targetValueTwo: Double?
  let zoneNumber: Int?
  let secondaryTargetType: TargetType?
  let weightValue: Double?
  let weightUnit: WeightUnit?
  let strokeType: StrokeType?
  let equipmentType: EquipmentType?
  let numberOfIterations: Int?
  /// Whether the last round of a group leaves out its last step.
  let skipLastRestStep: Bool?
  let workoutSteps: [GarminStep]?

  struct StepType: Decodable {
    let stepTypeKey: String?
  }

  struct EndCondition: Decodable {
    let conditionTypeKey: String?
  }

  struct WeightUnit: Decodable {
    let unitKey: String?
  }

  struct StrokeType: Decodable {
    let strokeTypeKey: String?
  }

  struct EquipmentType: Decodable {
    let equipmentTypeKey: String?
  }

  struct TargetType: Decodable {
    let workoutTargetTypeKey: String?
  }
}

extension GarminStep {
  /// Returns the title of the step: its exercise, otherwise its kind.
  func title(_ report: inout ImportReport) -> String {
    if let name = exerciseName ?? category {
      let words = PlainText.line(name.replacing("_", with: " ").lowercased(), &report)
      if let first = words.first { return first.uppercased() + words.dropFirst() }
    }
    return switch stepType?.stepTypeKey {
    case "warmup": "Warm-up"
    case "cooldown": "Cool-down"
    case "interval": "Interval"
    case "recovery": "Recovery"
    case "rest": "Rest"
    default: "Step"
    }
  }

  /// Returns the end condition for a note; `nil` for a time or the lap button, because the card's timing
  /// shows these.
  func end(_ report: inout ImportReport) -> String? {
    guard let key = endCondition?.conditionTypeKey else {
      if endConditionValue != nil { report.change("end without a condition, now until it is done") }
      return nil
    }
    let value = endConditionValue.map(DecimalNumber.short) ?? "?"
    switch key {
    case "time", "fixed.rest", "lap.button": return nil
    case "distance":
      report.change("distance, now until it is done")
      return endConditionValue.map { $0 >= 1000 ? "\(DecimalNumber.short($0 / 1000)) km" : "\(value) m" }
    case "reps":
      report.change("number of repetitions, now until it is done")
      return "\(value) times"
    case "calories":
      report.change("energy, now until it is done")
      return "\(value) kcal"
    default:
      let name = PlainText.name(key)
      report.change("end at \(name), now until it is done")
      let comparison = ["gt": "above ", "lt": "below "][endConditionCompare ?? ""] ?? ""
      return "until \(name.replacing(".", with: " ")) \(comparison)\(value)"
    }
  }

  func weight(_ report: inout ImportReport) -> String? {
    guard let weightValue, weightValue > 0 else { return nil }
    guard let unit = ["kilogram": "kg", "pound": "lb"][weightUnit?.unitKey ?? ""] else {
      report.drop("weight without a unit")
      return nil
    }
    return "\(DecimalNumber.short(weightValue)) \(unit)"
  }

  func target(_ report: inout ImportReport) -> String? {
    if let second = secondaryTargetType?.workoutTargetTypeKey, second != "no.target" {
      report.drop("second target")
    }
    guard let key = targetType?.workoutTargetTypeKey, key != "no.target" else { return nil }
    let target: String? =
      switch key {
      case "power.zone", "power.between", "power.3s", "power.10s", "power.30s": range("W") ?? zone("power")
      case "heart.rate.zone": range("bpm") ?? zone("heart rate")
      case "cadence", "cadence.zone": range("rpm") ?? zone("cadence")
      case "speed.zone": range("km/h", scale: 3.6) ?? zone("speed")
      case "pace.zone": pace ?? zone("pace")
      default: nil
      }
    if target == nil { report.drop("target \(PlainText.name(key))") }
    return target
  }

  /// The two target values, smaller first; `nil` if they are missing.
  private var bounds: (Double, Double)? {
    guard let one = targetValueOne, let two = targetValueTwo, one > 0 || two > 0 else { return nil }
    return (min(one, two), max(one, two))
  }

  private func range(_ unit: String, scale: Double = 1) -> String? {
    bounds.map { low, high in
      let (low, high) = (DecimalNumber.short(low * scale), DecimalNumber.short(high * scale))
      return low == high ? "\(low) \(unit)" : "\(low) to \(high) \(unit)"
    }
  }

  private func zone(_ what: String) -> String? { zoneNumber.map { "\(what) zone \($0)" } }

  /// The pace in minutes per kilometer from speeds in meters per second, faster first.
  private var pace: String? {
    guard let (low, high) = bounds, low > 0.1 else { return nil }
    let times = [high, low].map { speed in
      let seconds = Int((1000 / speed).rounded())
      return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
    return times[0] == times[1] ? "\(times[0]) min/km" : "\(times[0]) to \(times[1]) min/km"
  }
}
