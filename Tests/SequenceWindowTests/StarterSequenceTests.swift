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
    // A rest stays one when its title is translated or changed.
    let written = String(decoding: template.file, as: UTF8.self).matches(of: /rest: true/).count
    #expect(written == parsed.definition.elements.flatMap(\.cards).count(where: \.isRest))
  }
}
