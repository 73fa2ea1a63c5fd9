import Foundation
import SequenceFiles
import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceClient

struct StarterTests {
  @Test(arguments: Starter.allCases)
  func `each starter is a sequence without remarks`(starter: Starter) throws {
    let bytes = try starter.document().bytes
    let parsed = try SequenceFile.parse(bytes)
    #expect(parsed.remarks.isEmpty)
    #expect(parsed.definition.color == starter.color)
    #expect(throws: Never.self) { try SequenceName(starter.rawValue) }
    // A rest stays one when its title is translated or changed.
    let written = String(decoding: bytes, as: UTF8.self).matches(of: /rest: true/).count
    #expect(written == parsed.definition.elements.flatMap(\.cards).count(where: \.isRest))
  }

  @Test func `each file among the starters is one of them`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: BuiltProducts.repository + "/share/sequence/starters")
    #expect(files.sorted() == Starter.allCases.map { $0.rawValue + ".yaml" }.sorted())
  }

  @Test(arguments: [
    ("pomodoro", Starter.pomodoro), ("Pomodoro", .pomodoro), ("morning routine", .morningRoutine),
    ("pomodoros", nil), ("", nil),
  ])
  func `a starter is found by its name`(name: String, starter: Starter?) {
    #expect(Starter(named: name) == starter)
  }
}
