/// A workout as Garmin Connect hands it out, as far as it is about what to do.
struct GarminWorkout: Decodable {
  let workoutName: String?
  let description: String?
  let workoutSegments: [Segment]

  struct Segment: Decodable {
    let workoutSteps: [GarminStep]
  }
}

/// A step, or a group of them that is repeated.
struct GarminStep: Decodable {
  let stepType: StepType?
  let description: String?
  let category: String?
  let exerciseName: String?
  let endCondition: EndCondition?
  let endConditionValue: Double?
  let targetType: TargetType?
  let targetValueOne: Double?
  let targetValueTwo: Double?
  let zoneNumber: Int?
  let secondaryTargetType: TargetType?
  /// How often the steps of a group are gone through.
  let numberOfIterations: Int?
  /// Whether the last step of a group is left out in the last round.
  let skipLastRestStep: Bool?
  /// The steps of a group.
  let workoutSteps: [GarminStep]?

  struct StepType: Decodable {
    let stepTypeKey: String?
  }

  struct EndCondition: Decodable {
    let conditionTypeKey: String?
  }

  struct TargetType: Decodable {
    let workoutTargetTypeKey: String?
  }
}
