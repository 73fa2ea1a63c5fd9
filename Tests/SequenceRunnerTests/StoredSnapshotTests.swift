import Foundation
import SequenceFiles
import SequenceStore
import TestSupport
import Testing

@testable import SequenceRunner

struct StoredSnapshotTests {
  private let clock = ManualClock()

  private func snapshot(_ title: String = "Work", away: SuspendPolicy? = nil) throws -> ActiveRunSnapshot {
    let goal = Goal(duration: .seconds(300), reminders: 3, cadence: .seconds(700))
    func interval() -> [Card] {
      [
        Card(id: UUID(), title: title, note: title, timing: .countdown(.seconds(20), advance: .automatic)),
        Card(
          id: UUID(), title: "Rest", timing: .countdown(.seconds(10), advance: .automatic),
          skipsLastRound: true, sound: "bell", image: "/rest.png"),
      ]
    }
    let cards =
      interval() + [
        Card(
          id: UUID(), title: "Plank", timing: .countdown(.nanoseconds(1), advance: .manual),
          insist: .seconds(60)),
        Card(id: UUID(), title: "Free", timing: .countUp(goal: nil)),
        Card(id: UUID(), title: "Stretch", timing: .countUp(goal: goal)),
      ]
    let inner = SequenceElement.group(Group(rounds: 2, elements: interval().map { .card($0) }))
    let hang = Card("Hang", .countdown(.seconds(20)), laterRounds: .adding(.milliseconds(-1500)))
    let swing = Card("Swing", .countdown(.seconds(5)), laterRounds: .lengths([.seconds(6), .seconds(4)]))
    let elements =
      [.group(Group(rounds: 3, elements: [inner, .card(hang), .card(swing)]))]
      + cards.map { SequenceElement.card($0) }
    return ActiveRunSnapshot(
      timeline: try Timeline(
        SequenceDefinition(
          id: UUID(), title: title, elements: elements, onSuspend: away, onLock: nil, color: .pink,
          icon: "👩‍👧", rings: true, labels: ["health", "client-a"])),
      at: clock.now())
  }

  private func copy(of snapshot: ActiveRunSnapshot) throws -> ActiveRunSnapshot {
    try StoredRun(snapshot, path: "store").decoded(path: "")
  }

  @Test func `a run in each of its states is decoded as encoded`() throws {
    var run = try snapshot()
    for command in [RunCommand.next, .pause, .extend(.seconds(-3)), .resume(), .skip, .back, .pause] {
      #expect(try copy(of: run) == run)
      clock.advance(by: .milliseconds(1500))
      guard case .active(let settled) = run.settled(at: clock.now()),
        case .active(let next) = try settled.applying(command, at: clock.now())
      else { throw TestSupportError("the run is over") }
      run = next
    }
    // Three steps that end by themselves are a chain.
    guard case .active(let going) = try run.applying(.resume(), at: clock.now()) else {
      throw TestSupportError("the run is over")
    }
    clock.advance(by: .seconds(75))
    guard case .active(let chained) = going.settled(at: clock.now()) else {
      throw TestSupportError("the run is over")
    }
    #expect(try copy(of: chained) == chained)
  }

  @Test func `the options of a run are decoded as encoded, and absent without a choice`()
    throws
  {
    let timeline = try snapshot().timeline
    for options in [
      RunOptions(suspendPolicy: .ask, sound: true, speech: false, rings: true),
      RunOptions(suspendPolicy: nil, sound: nil, speech: true), .unspecified,
      RunOptions(suspendPolicy: nil, sound: nil, speech: nil, labels: ["urgent", "health"]),
    ] {
      let run = ActiveRunSnapshot(timeline: timeline, options: options, at: clock.now())
      #expect(try copy(of: run) == run)
    }
    #expect(try !StoredRun(snapshot(), path: "store").snapshot.text.contains("options"))
  }

  @Test(arguments: [SuspendPolicy.pause, .ask])
  func `a suspend is decoded as encoded`(policy: SuspendPolicy) throws {
    let run = try snapshot(away: policy)
    clock.advance(by: .milliseconds(1500))
    for cause in [SuspendCause.sleep, .shutdown, .powerLoss] {
      let left = try #require(run.leaving(cause, at: clock.now()))
      clock.advance(by: .seconds(90))
      let back = try #require(left.returned(at: clock.now()))
      #expect(try copy(of: left) == left)
      #expect(try copy(of: back) == back)
    }
  }

  @Test func `ids are read in upper and lower case, and nothing else is`() {
    for id in (0..<100).map({ _ in UUID() }) {
      #expect(UUID(text: id.uuidString) == id)
      #expect(UUID(text: id.uuidString.lowercased()) == id)
    }
    let id = "B140BCEE-5682-4F1B-9EBB-902A251C777B"
    for wrong in [
      "", String(id.dropLast()), id + "0", id + "-", "G" + id.dropFirst(), "é" + id.dropFirst(2),
      id.replacingOccurrences(of: "-", with: "0"), id.replacingOccurrences(of: "-", with: ""),
      "-" + id.dropFirst(), " " + id.dropLast(),
    ] {
      #expect(UUID(text: wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a run without a policy is stored without the key`() throws {
    let stored = try StoredRun(snapshot(), path: "store")
    #expect(!stored.sequence.text.contains("onSuspend") && !stored.snapshot.text.contains("suspend"))
    #expect(
      try StoredRun(snapshot(away: .continue), path: "store").sequence.text.contains(
        #""onSuspend":"continue""#))
  }

  @Test(arguments: [
    (#""cause":"sleep""#, #""cause":"boredom""#, true),
    (#""onSuspend":"ask""#, #""onSuspend":"stop""#, true), (#""schema":1"#, #""schema":2"#, true),
    (#"{"card":{"#, #"{"break":{"#, true), (#""entries":[]"#, #""entries":[{"jump":{}}]"#, true),
    (#""countdown":"#, #""until":"#, true),
    (#""suspend":{"cause":"sleep","#, #""suspend":{"#, false),
  ])
  func `a value of a newer program is newer, and a missing one is damage`(
    right: String, wrong: String, isNewer: Bool
  ) throws {
    let left = try #require(try snapshot(away: .ask).leaving(.sleep, at: clock.now()))
    let stored = try StoredRun(left, path: "store")
    try #require(stored.sequence.text.contains(right) != stored.snapshot.text.contains(right))
    let changed = StoredRun(
      sequence: StoredText(stored.sequence.text.replacing(right, with: wrong)),
      snapshot: StoredText(stored.snapshot.text.replacing(right, with: wrong)))
    let error = #expect(throws: StoreError.self) { try changed.decoded(path: "") }
    switch try #require(error) {
    case .newer: #expect(isNewer)
    case .damaged: #expect(!isNewer)
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test(arguments: [
    "\"\\/", "\u{0}\u{1F}\u{7F}\u{8}\u{C}\n\r\t", "é ✓ 😀 👩‍👩‍👧 \u{2028}\u{FEFF}", "\\u0041", "{\"a\":[1]}",
  ])
  func `every text is decoded as encoded`(title: String) throws {
    let run = try snapshot(title)
    #expect(try copy(of: run) == run)
  }

  @Test func `hostile snapshots that decode are encoded and decoded as the same`() throws {
    let folder = BuiltProducts.repository + "Tests/Corpus/snapshots"
    var read = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = String(decoding: try Data(contentsOf: URL(filePath: folder + "/" + name)), as: UTF8.self)
      let lines = text.split(separator: "\n", maxSplits: 1).map { StoredText(String($0)) }
      guard lines.count == 2,
        let snapshot = try? StoredRun(sequence: lines[0], snapshot: lines[1]).decoded(path: "")
      else { continue }
      read += 1
      #expect(try copy(of: snapshot) == snapshot, "\(name)")
    }
    #expect(read >= 5)
  }

  @Test func `unknown keys are ignored, and truncated snapshots refused`() throws {
    let run = try snapshot("a \" \\ \u{1}")
    let stored = try StoredRun(run, path: "store")
    let new = #""new":[{"a":{},"b":[]},"x\"y",-1.5e3,null,true],"#
    for (part, member) in [(\StoredRun.sequence, "\"elements\":"), (\.snapshot, "\"log\":")] {
      let text = stored[keyPath: part].text
      func decoded(_ text: String) throws -> ActiveRunSnapshot {
        var changed = stored
        changed[keyPath: part] = StoredText(text)
        return try changed.decoded(path: "")
      }
      try #require(text.contains(member))
      #expect(try decoded(text.replacing(member, with: new + member)) == run)
      for length in 0..<text.utf8.count {
        let begin = String(decoding: text.utf8.prefix(length), as: UTF8.self)
        #expect(throws: StoreError.self) { try decoded(begin) }
      }
      for wrong in [text + " ", text + text] {
        #expect(throws: StoreError.self) { try decoded(wrong) }
      }
    }
  }
}
