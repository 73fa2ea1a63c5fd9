/// The parts of a Garmin Connect workout that a sequence can contain.
struct GarminWorkout: Decodable {
  let workoutName: String?
  let description: String?
  let workoutSegments: [Segment]

  struct Segment: Decodable {
    let workoutSteps: [GarminStep]
  }
}

/// A step or a repeat group.
struct GarminStep: Decodable {
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
  /// The number of rounds of a group.
  let numberOfIterations: Int?
  /// Whether the last round of a group leaves out its last step.
  let skipLastRestStep: Bool?
  /// The steps of a group.
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
