import SequencePlatform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceWindow

@Suite struct StarterSequenceTests {
  @Test(arguments: StarterSequence.allCases)
  func `each starter is a sequence without remarks`(starter: StarterSequence) throws {
    let parsed = try SequenceFile.parse(starter.file)
    #expect(parsed.remarks.isEmpty)
    #expect(throws: Never.self) { try SequenceName(starter.rawValue) }
    // A rest stays one when its title is translated or changed.
    let written = String(decoding: starter.file, as: UTF8.self).matches(of: /rest: true/).count
    #expect(written == parsed.definition.elements.flatMap(\.cards).count(where: \.isRest))
  }
}
