import Testing

@testable import SequenceWindow

/// The report of an import.
@Suite struct ImportedSequenceTests {
  @Test func `the report doesn't repeat the path that the user has chosen`() {
    let text = """
      sequence: /home/u/ride.zwo: dropped: element tag (1)
      sequence: /home/u/ride.zwo: changed: distance, now until it is done (2)

      """
    #expect(
      ImportedSequence.message(text, of: "/home/u/ride.zwo")
        == "Dropped: element tag (1)\nChanged: distance, now until it is done (2)")
  }

  @Test func `an error keeps its line`() {
    let text = "sequence: /home/u/ride.zwo:3:7: the file ends too early\n"
    #expect(
      ImportedSequence.message(text, of: "/home/u/ride.zwo")
        == "/home/u/ride.zwo:3:7: the file ends too early")
  }
}
