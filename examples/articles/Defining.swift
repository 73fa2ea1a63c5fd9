import FoundationEssentials
import SequenceFiles
import SequenceRunner

/// Three ways to define a sequence: a file, cards as on a command line, and values.
struct Defining {
  let directory: String

  func run() throws -> Timeline {
    print("file: \(timeline(ofFile: directory + "/missing.yaml")?.count ?? 0) steps")

    let parsed = try SequenceFile.parse(
      Array(
        """
        title: Tabata
        cards:
          - { title: Warm up, countdown: 2m }
          - rounds: 8
            cards:
              - { title: Work, countdown: 20s, note: All out }
              - { title: Rest, countdown: 10s, skipLast: true }
          - { title: Stretch, countUp: { goal: 5m, every: 2m } }
        """.utf8))
    for remark in parsed.remarks(inFile: "tabata.yaml") { print(remark) }

    try describe(parsed.timeline)
    try climb()
    try bake()
    return parsed.timeline
  }

  func timeline(ofFile path: String) -> Timeline? {
    do throws(SequenceFileError) {
      return try SequenceFile.read(path: path).timeline
    } catch {
      print(error.message(inFile: String(path.split(separator: "/").last ?? "")))
      return nil
    }
  }

  func describe(_ timeline: Timeline) throws {
    let work = timeline.step(at: 3)
    print(work.card.title, work.rounds.map { "round \($0)" }.joined(separator: ", "))

    if let stop = timeline.firstStop(from: 0) {
      let time = timeline.duration(of: 0..<stop)
      print("\(DurationText.format(time)) until \(timeline.card(at: stop).title), which waits for you")
    }
  }

  func climb() throws {
    let ladder = SequenceDefinition("Ladder") {
      Group(3) { Card("Plank", .countdown(.seconds(20)), laterRounds: .adding(.seconds(5))) }
    }
    print("the ladder takes \(DurationText.format(try Timeline(ladder).duration(of: 0..<3)))")
  }

  func bake() throws {
    let sequence = SequenceDefinition("Bread") {
      Group(3) {
        Card("Proof", .countdown(.seconds(1800), advance: .manual))
      }
      Card("Bake", .countUp(goal: Goal(duration: .seconds(2400))))
    }
    do throws(TimelineError) {
      print("Bread begins with \(try Timeline(sequence).card(at: 0).title)")
    } catch {
      print("not a valid sequence: \(error)")
    }
  }
}
