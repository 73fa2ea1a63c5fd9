import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct JSONTests {
  private func garmin(_ steps: String) -> String {
    #"{"workoutName":"Run","description":"Easy\nrun","workoutSegments":[{"workoutSteps":[\#(steps)]}]}"#
  }

  private func step(_ type: String, _ end: String, _ value: String = "null", _ more: String = "") -> String {
    """
    {"type":"ExecutableStepDTO","stepType":{"stepTypeKey":"\(type)"},
     "endCondition":{"conditionTypeKey":"\(end)"},"endConditionValue":\(value)\(more)}
    """
  }

  @Test func `steps of a Garmin workout are countdowns, and steps without a time are count-ups`() throws {
    let pace =
      #","targetType":{"workoutTargetTypeKey":"pace.zone"},"targetValueOne":4.0,"targetValueTwo":3.5"#
    let power =
      #","targetType":{"workoutTargetTypeKey":"power.zone"},"targetValueOne":220,"targetValueTwo":200"#
    let zone =
      #","targetType":{"workoutTargetTypeKey":"heart.rate.zone"},"zoneNumber":2,"description":"Easy: go""#
    let group = """
      {"type":"RepeatGroupDTO","numberOfIterations":3,"skipLastRestStep":true,"workoutSteps":[
       \(step("interval", "time", "40.5", power)), \(step("recovery", "time", "20"))]}
      """
    let workout = try imported(
      garmin(
        [
          step("warmup", "lap.button", "null", zone), step("interval", "distance", "1500.0", pace), group,
          step("interval", "reps", "12.0", #","exerciseName":"BARBELL_SQUAT""#),
          step("rest", "fixed.rest", "30"),
          step("other", "heart.rate", "150"), step("cooldown", "time", "0"),
        ].joined(separator: ",")), "run.json")
    #expect(workout.format == .garmin)
    #expect(
      workout.steps == [
        "Warm-up until done: heart rate zone 2; Easy: go",
        "Interval until done: 1.5 km; 4:10 to 4:46 min/km",
        "Interval 40.5s: 200 to 220 W", "Recovery 20s", "Interval 40.5s: 200 to 220 W", "Recovery 20s",
        "Interval 40.5s: 200 to 220 W", "Barbell squat until done: 12 times", "Rest 30s",
        "Step until done: until heart rate 150",
      ])
    #expect(workout.text.contains("# Easy\n# run\ntitle: Run\n"))
    #expect(
      workout.report.lines == [
        "dropped: step without time (1)", "changed: distance, now until it is done (1)",
        "changed: number of repetitions, now until it is done (1)",
        "changed: end at heart.rate, now until it is done (1)",
      ])
  }

  @Test(arguments: ["time", "heart.rate", "lap.button", "distance"])
  func `only iterations count the rounds of a repeat group`(condition: String) throws {
    let group = { (condition: String) in
      """
      {"endCondition":{"conditionTypeKey":"\(condition)"},"endConditionValue":2,
       "workoutSteps":[\(step("interval", "time", "90.00001"))]}
      """
    }
    let rounds = try imported(garmin(group("iterations")), "run.json")
    #expect(rounds.steps == ["Interval 1m30s", "Interval 1m30s"])
    let other = try imported(garmin(group(condition)), "run.json")
    #expect(other.steps == ["Interval 1m30s"])
    #expect(other.report.lines == ["changed: repeat group until \(condition), now one round (1)"])
  }

  @Test func `parts of a step that a card can't have are reported`() throws {
    let target = #","targetType":{"workoutTargetTypeKey":"speed.zone"},"targetValueOne":0"#
    let zone = #","targetType":{"workoutTargetTypeKey":"speed.zone"},"zoneNumber":3"#
    let squat = #","weightValue":60,"weightUnit":{"unitKey":"kilogram"}"#
    let swim =
      #","weightValue":5,"strokeType":{"strokeTypeKey":"free"},"equipmentType":{"equipmentTypeKey":"fins"}"#
    let none = #","weightValue":0,"strokeType":{"strokeTypeId":0},"equipmentType":{"equipmentTypeId":0}"#
    let workout = try imported(
      garmin(
        [
          step("interval", "time", "60", target), step("interval", "time", "60", zone),
          step("interval", "time", "60", squat), step("interval", "time", "60", swim),
          step("interval", "time", "60", none),
          step("rest", "heart.rate", "120", #","endConditionCompare":"lt""#),
          #"{"endConditionValue":60}"#,
        ].joined(separator: ",")), "run.json")
    #expect(
      workout.steps == [
        "Interval 1m", "Interval 1m: speed zone 3", "Interval 1m: 60 kg", "Interval 1m", "Interval 1m",
        "Rest until done: until heart rate below 120", "Step until done",
      ])
    #expect(
      workout.report.lines == [
        "dropped: target speed.zone (1)", "dropped: weight without a unit (1)", "dropped: stroke (1)",
        "dropped: equipment (1)", "changed: end at heart.rate, now until it is done (1)",
        "changed: end without a condition, now until it is done (1)",
      ])
  }

  @Test func `sets of Just Another Workout Timer are groups`() throws {
    let workout = #"""
      {"title":"Core \"5\"","version":2,"position":0,"sets":[
       {"id":"a","repetitions":2,"name":"Main","exercises":[{"id":"x","name":"Plank","duration":45},
        {"name":"R\u00e9st","duration":15}]},
       {"repetitions":1,"exercises":[{"name":"Cool","duration":60},{"name":"None","duration":0}]},
       {"repetitions":3,"exercises":[]}]}
      """#
    for text in [workout, #"{"workouts":[\#(workout)]}"#] {
      let imported = try imported(text, "core.json")
      #expect(imported.format == .jawt)
      #expect(imported.sequence.definition.title == #"Core "5""#)
      #expect(
        imported.steps == [
          "Plank 45s: Main", "Rést 15s: Main", "Plank 45s: Main", "Rést 15s: Main", "Cool 1m",
        ])
      #expect(
        imported.report.lines == ["dropped: exercise without time (1)", "dropped: set without exercises (1)"])
    }
  }

  @Test func `a backup of several workouts is refused with their titles`() {
    #expect(
      refusal(#"{"workouts":[{"title":"A","sets":[]},{"title":"B","sets":[]}]}"#, "b.json", as: .jawt)
        == #"b.json: the file has 2 workouts: "A", "B"; export one of them"#)
  }

  @Test(arguments: [
    (#"{"workoutSegments":3}"#, "t.json: workoutSegments is not a list"),
    (
      #"{"workoutSegments":[{"workoutSteps":[]}]}"#,
      "t.json: the file has no steps with a time, so there is nothing to count down"
    ),
    (
      #"{"workoutSegments":[{"workoutSteps":[{"workoutSteps":[],"numberOfIterations":0}]}]}"#,
      "t.json: a repeat group has no numberOfIterations from 1 to 100000"
    ),
    (
      #"{"sets":[{"repetitions":1,"exercises":[{"name":"A","duration":-1}]}]}"#,
      "t.json: -1.0 is not a duration"
    ),
    (
      #"{"sets":[{"repetitions":1,"exercises":[{"name":"A","duration":1e300}]}]}"#,
      "t.json: 1e+300 is not a duration"
    ),
    (
      #"{"sets":[{"repetitions":1,"exercises":[{"name":"A","duration":1e999}]}]}"#,
      "t.json: this is not JSON, or a number in it is too large"
    ),
    (
      #"{"sets":[{"repetitions":1,"exercises":[{"duration":1}]}]}"#,
      "t.json: sets[0].exercises[0].name is missing"
    ),
    (
      #"{"sets":[{"repetitions":100001,"exercises":[]}]}"#,
      "t.json: 100001 is not a number of repetitions from 0 to 100000"
    ),
    (#"{"exercises": }"#, "t.json: this is not JSON"),
    ("{}", "t.json: this JSON is not a Garmin workout or a workout of Just Another"),
  ])
  func `invalid workouts are refused with the reason`(text: String, message: String) throws {
    let found = try #require(refusal(text, "t.json"))
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test(arguments: [
    ("null", "a step that ends by time has no endConditionValue"),
    ("-1", "the endConditionValue -1.0 is not a time in seconds of at most 30 days"),
    ("1e12", "the endConditionValue 1000000000000.0 is not a time in seconds of at most 30 days"),
    ("NaN", "this is not JSON, or a number in it is too large"),
    (
      #""5""#,
      "workoutSegments[0].workoutSteps[0].endConditionValue is not a number; write it without quotes"
    ),
  ])
  func `an invalid time of a Garmin step is refused`(value: String, message: String) {
    #expect(refusal(garmin(step("interval", "time", value)), "t.json") == "t.json: \(message)")
  }

  @Test func `deep nesting does no harm`() {
    let open = #""exercises""# + String(repeating: "[", count: 500_000)
    #expect(refusal(open, "t.json") == "t.json: the file is nested deeper than 100 levels")
    let group = #"{"numberOfIterations":1,"workoutSteps":["#
    let deep = String(repeating: group, count: 40) + step("interval", "time", "1")
    let closed = garmin(deep + String(repeating: "]}", count: 40))
    // Groups of one round are not groups.
    #expect((try? imported(closed, "t.json"))?.steps == ["Interval 1s"])
    let rounds = closed.replacing("\":1,\"w", with: "\":2,\"w")
    #expect(refusal(rounds, "t.json")?.contains("the converted sequence is invalid") == true)
  }
}
