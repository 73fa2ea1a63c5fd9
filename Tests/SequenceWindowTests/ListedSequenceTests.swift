import SequenceClient
import SequenceFiles
import TestSupport
import Testing

@testable import SequenceWindow

@Suite struct ListedSequenceTests {
  private let directory: TemporaryDirectory
  private let library: SequenceLibrary

  init() throws {
    directory = try TemporaryDirectory()
    library = SequenceLibrary(path: directory.path)
  }

  @Test func `the shortest sequences come first`() throws {
    let directory = try TemporaryDirectory()
    let texts = [("a", "1h"), ("b", "1m"), ("c", "soon"), ("d", "1m"), ("e", "5s")]
    let sequences = try texts.map { name, time in
      ListedSequence(
        file: try directory.write("title: A\ncards: [{ title: B, countdown: \(time) }]\n", to: name + ".yaml")
      )
    }
    #expect(LibraryPage.sortedByLength(sequences).map(\.name) == ["e", "b", "d", "a", "c"])
  }

  @Test func `sequences are in the order of their titles, and numbers count`() throws {
    let titles = [("c", "abs"), ("b", "Workout 2"), ("a", "Workout 10")]
    for (name, title) in titles {
      _ = try directory.write("title: \(title)\ncards: [{ title: W, countdown: 1m }]", to: name + ".yaml")
    }
    _ = try directory.write("", to: "broken.yaml")
    #expect(LibraryPage.sorted(try ListedSequence.all(of: library)).map(\.name) == ["c", "broken", "b", "a"])
  }

  @Test func `a mistake has the name of its file, but not the directory`() throws {
    _ = try directory.write("title: A\ncards: [{ title: W, countdown: 2x }]", to: "broken.yaml")
    let sequence = try #require(try ListedSequence.all(of: library).first)
    #expect(
      sequence.mistakeText == #"broken.yaml:2:32: "2x" is not a duration; write it like 2m or 1m30s"#)
    _ = try directory.write("title: A\ncards: [{ title: W, countdown: 2m }]", to: "broken.yaml")
    #expect(try #require(try ListedSequence.all(of: library).first).mistakeText == nil)
  }
}
