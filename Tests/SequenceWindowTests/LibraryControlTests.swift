import Foundation
import SequenceClient
import SequenceFiles
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceWindow

struct LibraryControlTests {
  private let home: TemporaryDirectory
  private let control: LibraryControl
  private static let text = """
    title: A
    cards:
      - { title: B, countUp: {}, image: pictures/a.png, sound: bell }   # first
      - &c { title: C, countdown: 1m, sound: /none, id: 11111111-0000-0000-0000-000000000001 }
      - { rounds: 2, cards: [{ title: D, countdown: 1m, sound: pictures/a.png }] }

    """

  init() throws {
    home = try TemporaryDirectory()
    control = LibraryControl(
      context: ClientContext(
        environment: EnvironmentVariables(["HOME": home.path]), clock: ManualClock(),
        startAgent: { _ in getpid() }, warn: { _ in }))
  }

  /// Duplicates a file in a folder, and returns the text of the copy without its title and its id.
  private func duplicate(in folder: String) throws -> String {
    // The sound of a card has to be one that can be played.
    _ = try home.write("RIFF\0\0\0\0WAVE", to: folder + "/pictures/a.png")
    let copy = try control.duplicate(try home.write(LibraryControlTests.text, to: folder + "/a.yaml"))
    #expect(copy == home.path + "/.local/share/sequence/Copy of A.yaml")
    let lines = try String(contentsOfFile: copy, encoding: .utf8).split(separator: "\n")
    #expect(lines.first == "title: Copy of A")
    return lines.dropFirst().filter { !$0.hasPrefix("id: ") }.joined(separator: "\n")
  }

  private func expected(_ picture: String) -> String {
    """
    cards:
      - { title: B, countUp: {}, image: \(picture), sound: bell }   # first
      - &c { title: C, countdown: 1m, sound: /none }
      - { rounds: 2, cards: [{ title: D, countdown: 1m, sound: \(picture) }] }
    """
  }

  @Test func `a copy in the library finds the pictures and sounds of a file elsewhere`() throws {
    #expect(try duplicate(in: "Documents") == expected(home.path + "/Documents/pictures/a.png"))
  }

  @Test(arguments: [
    #"{"title": "A \ud83c\udf55", "cards": [{"title": "B", "countdown": "1m"}]}"#,
    "title: A\ncards:\n  - &x { title: B, countdown: 1m }\n  - *x\n  - &x { title: C, countdown: 2m }\n",
  ])
  func `every sequence can be copied and renamed`(text: String) throws {
    let path = try home.write(text, to: "a.yaml")
    let copy = try SequenceFile.read(path: try control.duplicate(path)).definition
    let original = try SequenceFile.read(path: path).definition
    #expect(copy.title == "Copy of " + original.title)
    #expect(copy.elements.map(\.cards.first?.title) == original.elements.map(\.cards.first?.title))
    try control.rename(path, to: "D")
    #expect(try SequenceFile.read(path: path).definition.title == "D")
  }

  @Test func `a title that is taken gets a number`() throws {
    let plan = WorkoutPlan(title: "Legs", exercises: [.init(title: "Squats")])
    let titles = try (0..<3).map { _ in
      try SequenceFile.read(path: try control.create(plan.sequence)).definition.title
    }
    #expect(titles == ["Legs", "Legs 2", "Legs 3"])
  }

  @Test func `a copy of a file in the library has the same text`() throws {
    #expect(try duplicate(in: ".local/share/sequence") == expected("pictures/a.png"))
  }
}
