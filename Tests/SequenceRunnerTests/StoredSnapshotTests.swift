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
    try StoredRun(snapshot).decoded(path: "")
  }

  @Test func `texts and numbers are written as Foundation writes them, and read again`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let scalars = (0...0x2FF).map { $0 } + [0x2028, 0x2029, 0xD7FF, 0xFEFF, 0xFFFD, 0x1F9D8, 0x10FFFF]
    for text in try scalars.map({ String(try #require(UnicodeScalar($0))) }) + ["", "a\"b\\c/d\u{0}e\r\n"] {
      let json = JSONWriter.text { $0.string(text) }
      #expect(json == String(decoding: try encoder.encode(text), as: UTF8.self))
      var reader = JSONReader(json)
      #expect(try reader.string() == text)
    }
    for number in [Int64.min, -1, 0, 10, .max] {
      var reader = JSONReader(JSONWriter.text { $0.integer(number) })
      #expect(try reader.integer() == number)
    }
  }

  @Test func `an id is written as Foundation writes it, and read again`() throws {
    for bits in [0, 1, 0x1234_5678_9ABC_DEF0_0FED_CBA9_8765_4321, UInt128.max] {
      let id = UUID(bits)
      #expect(id.text == id.uuidString)
      #expect(id.bits == bits)
      #expect(UUID(text: id.text) == id)
    }
  }

  @Test func `commas are between members and elements, and nowhere else`() {
    let json = JSONWriter.text { json in
      json.object { json in
        json.member("left out", String?.none)
        json.member("empty", "")
        json.member("list") { json in
          json.array { json in
            json.array { _ in }
            json.object { _ in }
            json.string("[")
            json.integer(-1)
          }
        }
        json.member("flag", false)
      }
    }
    #expect(json == #"{"empty":"","list":[[],{},"[",-1],"flag":false}"#)
  }

  @Test func `the JSON of a sequence and of a run has sorted members, and none without a value`() throws {
    let goal = Goal(duration: .seconds(300), reminders: 3, cadence: .seconds(700))
    let definition = SequenceDefinition(
      "All", onSuspend: .ask, onLock: .pause, color: .pink, icon: "🧘", rings: true, labels: ["a", "b"]
    ) {
      Group(2) {
        Card(
          "Hang", .countdown(.seconds(20)), laterRounds: .adding(.seconds(-2)), note: "a/b", sound: "bell",
          image: "/a.png")
        Card("Swing", .countdown(.seconds(5)), laterRounds: .lengths([.seconds(6)]))
      }
      Card("Walk", .countdown(.seconds(9)), atLeast: .seconds(8), atMost: .seconds(10))
      Card("Plank", .countdown(.seconds(60), advance: .manual), insist: .seconds(30))
      Card("Stretch", .countUp(goal: goal))
    }
    let endless = SequenceDefinition("Endless") { Group(.forever) { Card("Free", .countUp()) } }
    let reading = ClockReading(wall: Moment(microseconds: 7), boot: .nanoseconds(8), bootID: "b")
    let options = RunOptions(suspendPolicy: .pause, sound: false, speech: true, rings: true, labels: ["c"])
    let run = ActiveRunSnapshot(
      runID: UUID(0), timeline: try Timeline(definition), options: options, name: "all",
      until: Moment(microseconds: 9), at: reading)
    let plain = ActiveRunSnapshot(runID: UUID(1), timeline: try Timeline(endless), at: reading)
    #expect(
      StoredRun(run).sequence.text
        == #"""
        {"color":"pink",\#
        "elements":[{"group":{"_0":{"elements":[{"card":{"_0":{"id":"72F8321B-DB3B-8C31-B965-C51ABB1ECD42",\#
        "image":"/a.png","isRest":false,"laterRounds":{"adding":-2000000000},"note":"a/b",\#
        "skipsLastRound":false,"sound":"bell","timing":{"advance":"automatic","countdown":20000000000},\#
        "title":"Hang"}}},{"card":{"_0":{"id":"844EB6BD-2DBB-817D-9D8D-AAF893566A4B","isRest":false,\#
        "laterRounds":{"lengths":[6000000000]},"skipsLastRound":false,"timing":{"advance":"automatic",\#
        "countdown":5000000000},"title":"Swing"}}}],"rounds":2}}},{"card":{"_0":{"atLeast":8000000000,\#
        "atMost":10000000000,"id":"3606025F-43E7-8C0D-9F72-283615B9889C","isRest":false,\#
        "skipsLastRound":false,"timing":{"advance":"automatic","countdown":9000000000},\#
        "title":"Walk"}}},{"card":{"_0":{"id":"890C72C0-444B-84C3-806C-B9A8D4218E02",\#
        "insist":30000000000,"isRest":false,"skipsLastRound":false,"timing":{"advance":"manual",\#
        "countdown":60000000000},"title":"Plank"}}},\#
        {"card":{"_0":{"id":"E547B7A2-89BB-8488-A002-E40974642CEC","isRest":false,\#
        "skipsLastRound":false,"timing":{"countUp":{"goal":{"cadence":700000000000,\#
        "duration":300000000000,"reminders":3}}},"title":"Stretch"}}}],"icon":"🧘",\#
        "id":"4ED9D3C7-CEBA-86A5-98CE-0D72E4B0B0BC","labels":["a","b"],"onLock":"pause",\#
        "onSuspend":"ask","rings":true,"title":"All"}
        """#)
    #expect(
      StoredRun(run).snapshot.text
        == #"""
        {"current":{"clock":{"elapsed":0,"since":{"boot":8,"bootID":"b","wall":7}},"length":20000000000,\#
        "spare":{"amount":-417999998000,"first":1},"startedAt":7},"deadline":{"boot":2008,"bootID":"b",\#
        "wall":9},"log":{"entries":[]},"name":"all","options":{"labels":["c"],"onSuspend":"pause",\#
        "rings":true,"sound":false,"speech":true},"runID":"00000000-0000-0000-0000-000000000000",\#
        "schema":1,"source":"file","startedAt":7}
        """#)
    #expect(
      StoredRun(plain).sequence.text
        == #"""
        {"elements":[{"group":{"_0":{"elements":[{"card":{"_0":{"id":"0F329BDC-4DE0-87D1-B3FB-9550D388B8EB",\#
        "isRest":false,"skipsLastRound":false,"timing":{"countUp":{}},"title":"Free"}}}],\#
        "rounds":"forever"}}}],"id":"1C981EA5-473C-876C-A76C-5202ECF6B36B","rings":false,\#
        "title":"Endless"}
        """#)
    #expect(
      StoredRun(plain).snapshot.text
        == #"""
        {"current":{"clock":{"elapsed":0,"since":{"boot":8,"bootID":"b","wall":7}},"startedAt":7},\#
        "log":{"entries":[]},"name":"endless","runID":"00000000-0000-0000-0000-000000000001","schema":1,\#
        "source":"file","startedAt":7}
        """#)
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
    #expect(try !StoredRun(snapshot()).snapshot.text.contains("options"))
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
    let stored = StoredRun(try snapshot())
    #expect(!stored.sequence.text.contains("onSuspend") && !stored.snapshot.text.contains("suspend"))
    #expect(
      try StoredRun(snapshot(away: .continue)).sequence.text.contains(
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
    let stored = StoredRun(left)
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
    let stored = StoredRun(run)
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
