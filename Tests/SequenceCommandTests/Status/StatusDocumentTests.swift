import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

struct StatusDocumentTests {
  @Test(arguments: ["countdown: 2s, advance: manual", "countUp: { goal: 2s }"])
  func `overtime is present from the target on, even in a pause`(timing: String) throws {
    var sample = try SampleRun(yaml: "title: T\ncards: [{ title: A, \(timing) }]\n")
    #expect(StatusDocument(sample.status(after: 1)).step?.overtime == nil)
    #expect(StatusDocument(sample.status(after: 2)).step?.overtime == 0)
    #expect(StatusDocument(sample.status(after: 5)).step?.overtime == 3)
    try sample.perform(.pause, after: 5)
    #expect(StatusDocument(sample.status(after: 9)).step?.overtime == 3)
  }
}
