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
    for remark in parsed.remarks {
      print("line \(remark.position.line), column \(remark.position.column): \(remark.text)")
    }

    let intervals = try CardSpec.sequence(cards: ["Work 20s", "Rest 10s"], rounds: 8, title: "Intervals")
    print("\(intervals.definition.title) begins with \(intervals.card(at: 0).title)")

    try describe(parsed.timeline)
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

  func bake() throws {
    guard let bread = UUID(uuidString: "6B1D2E0C-5A43-4F0B-9C55-0D1E7A3B9F21"),
      let proof = UUID(uuidString: "0F7C9A52-1D3E-4B8A-8E64-2C9B5D7F1A30"),
      let bake = UUID(uuidString: "C2A4E6F8-9B1D-4E3F-A5C7-8D0F2B4E6A19")
    else { return }
    let sequence = SequenceDefinition(
      id: bread, title: "Bread",
      elements: [
        .group(
          Group(
            rounds: 3,
            elements: [
              .card(Card(id: proof, title: "Proof", timing: .countdown(.seconds(1800), advance: .manual)))
            ])),
        .card(Card(id: bake, title: "Bake", timing: .countUp(goal: Goal(duration: .seconds(2400))))),
      ], onSuspend: nil)
    do throws(TimelineError) {
      print("Bread begins with \(try Timeline(sequence).card(at: 0).title)")
    } catch {
      print("not a valid sequence: \(error)")
    }
  }
}
