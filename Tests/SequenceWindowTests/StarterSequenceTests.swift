import SequencePlatform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceWindow

/// The templates for an empty library.
@Suite struct StarterSequenceTests {
  @Test(arguments: StarterSequence.allCases)
  func `each template is a sequence without remarks`(template: StarterSequence) throws {
    let parsed = try SequenceFile.parse(template.file)
    #expect(parsed.remarks.isEmpty)
    #expect(throws: Never.self) { try SequenceName(template.rawValue) }
  }
}
