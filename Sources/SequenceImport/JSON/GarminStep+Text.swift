import SequenceRunner

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

  /// Returns the weight for a note; `nil` without one.
  func weight(_ report: inout ImportReport) -> String? {
    guard let weightValue, weightValue > 0 else { return nil }
    guard let unit = ["kilogram": "kg", "pound": "lb"][weightUnit?.unitKey ?? ""] else {
      report.drop("weight without a unit")
      return nil
    }
    return "\(DecimalNumber.short(weightValue)) \(unit)"
  }

  /// Returns the target for a note; `nil` without a target.
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
