import SequencePlatform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceWindow

/// The templates for an empty library.
@Suite struct TemplateTests {
  @Test(arguments: Template.allCases)
  func `each template is a sequence without remarks`(template: Template) throws {
    let parsed = try SequenceFile.parse(template.file)
    #expect(parsed.remarks.isEmpty)
    #expect(throws: Never.self) { try SequenceName(template.rawValue) }
  }
}
