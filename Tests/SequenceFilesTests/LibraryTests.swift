import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

/// Names, the files of the library, and the file to start from.
struct LibraryTests {
  @Test(arguments: [
    "tabata", "5x5", "Morning routine", "it's", "a:b", "früh", "x.y", String(repeating: "x", count: 250),
  ])
  func `a name is any text that is a safe file name`(text: String) throws {
    #expect(try SequenceName(text).text == text)
  }

  @Test(
    arguments: [
      ("", "it is empty"), ("a/b", "it contains a slash"), ("a/\u{301}b", "it contains a slash"),
      ("-\u{301}x", "it begins with a -"), (".\u{301}x", "it begins with a ."),
      (".hidden", "it begins with a ."),
      ("-x", "it begins with a -"), (" x", "it begins or ends with a space"),
      ("x ", "it begins or ends with a space"), ("a\u{1B}[2J", "it contains control characters"),
      ("a\nb", "it contains control characters"),
      (String(repeating: "ü", count: 126), "it has more than 250 bytes"),
    ])
  func `a text that could leave the library is not a name`(text: String, reason: String) {
    let error = #expect(throws: Problem.self) { try SequenceName(text) }
    #expect(error?.text.description == reason)
  }

  @Test func `the library follows the environment, and a relative path is ignored`() {
    #expect(SequenceLibrary(environment: ["XDG_DATA_HOME": "/data", "HOME": "/h"])?.path == "/data/sequence")
    let home = SequenceLibrary(environment: ["XDG_DATA_HOME": "data", "HOME": "/h"])
    #expect(home?.path == "/h/.local/share/sequence")
    #expect(SequenceLibrary(environment: [:]) == nil)
  }

  @Test func `a file that can't be looked at makes no name ambiguous, and is found if it is alone`() throws {
    let directory = try TemporaryDirectory()
    let library = SequenceLibrary(path: directory.path)
    for name in ["a.yml", "b.yaml", "b.yml"] {
      let path = directory.path + "/" + name
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    }
    _ = try directory.write("", to: "a.yaml")
    for name in ["a", "b"] {
      #expect(try library.entry(SequenceName(name))?.files == ["\(directory.path)/\(name).yaml"])
    }
  }

  @Test func `only sequence files are found`() throws {
    let directory = try TemporaryDirectory()
    let library = SequenceLibrary(path: directory.path)
    for name in ["b.yml", "a.yaml", "two.yml", "two.yaml", ".hidden.yaml", "notes.txt", "x"] {
      _ = try directory.write("", to: name)
    }
    try FileManager.default.createDirectory(
      atPath: directory.path + "/d.yaml", withIntermediateDirectories: true)
    try #require(mkfifo(directory.path + "/pipe.yaml", 0o600) == 0)
    #expect(try library.entries().map(\.name) == ["a", "b", "two"])
    #expect(
      try library.entry(SequenceName("two"))?.files == [
        directory.path + "/two.yaml", directory.path + "/two.yml",
      ])
    #expect(try library.names() == ["a", "b", "two"])
    let ambiguous = #expect(throws: Problem.self) { try library.path(of: "two") }
    #expect(ambiguous?.remedy == "rename one of them")
    #expect(try library.path(of: "b") == directory.path + "/b.yml")
    #expect(try library.entry(SequenceName("b"))?.files == [directory.path + "/b.yml"])
    #expect(try library.entry(SequenceName("d")) == nil)
  }

  @Test func `a file is added under a name that is free`() throws {
    let directory = try TemporaryDirectory()
    let library = SequenceLibrary(path: directory.path + "/new/library")
    #expect(try library.path(of: "tea") == nil)
    let path = try library.add("title: Tea\n", named: "tea")
    #expect(path == library.path + "/tea.yaml")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "title: Tea\n")
    #expect(try library.path(of: "tea") == path)
    try FileManager.default.moveItem(atPath: path, toPath: library.path + "/tea.yml")
    let taken = #expect(throws: SystemError.self) { try library.add("title: Other\n", named: "tea") }
    #expect(taken?.code == EEXIST)
    #expect(try library.entries().flatMap(\.files) == [library.path + "/tea.yml"])
    #expect(throws: Problem.self) { try library.add("", named: "a/b") }
    #expect(throws: Problem.self) { try library.path(of: "../tea") }
  }

  @Test func `numbers in names are sorted as numbers, and case doesn't matter`() throws {
    let directory = try TemporaryDirectory()
    let names = [
      "2", "10", "Abs", "legs", "run 5 of 2", "run 5 of 10", "tabata", "Workout", "workout 1", "Workout 2",
      "workout 10", "workout 123456789012345678901234567890",
    ]
    for name in names.sorted() { _ = try directory.write("", to: name + ".yaml") }
    #expect(try SequenceLibrary(path: directory.path).entries().map(\.name) == names)
  }

  @Test func `the order of names is total`() {
    #expect(NameOrder.precedes("01", "1") != NameOrder.precedes("1", "01"))
    #expect(NameOrder.precedes("A", "a") != NameOrder.precedes("a", "A"))
    #expect(!NameOrder.precedes("x", "x"))
  }

  @Test func `a missing library is empty, an unreadable one is an error`() throws {
    let directory = try TemporaryDirectory()
    #expect(try SequenceLibrary(path: directory.path + "/none").entries() == [])
    let file = try directory.write("", to: "file")
    let error = #expect(throws: SystemError.self) { try SequenceLibrary(path: file).entries() }
    #expect(error?.code == ENOTDIR)
  }

  @Test(
    arguments: [
      ("tabta", ["tabata"]), ("abtata", ["tabata"]), ("TABATA", ["tabata"]), ("tab", ["tabata", "table"]),
      ("morning", ["morning-routine"]), ("xyz", []), ("", []), (String(repeating: "t", count: 5000), []),
    ])
  func `suggestions are the nearest names`(word: String, near: [String]) {
    #expect(NearNames.of(word, among: ["morning-routine", "table", "tabata", "run"]) == near)
  }

  @Test(
    arguments: [
      "My sequence", "tabata", "it's", "'", "a: b", "#1", "- x", "{x}", "on", "\\n", "\"q\"", "%x", "*a",
      "5x5", "früh", "Workout #️⃣ x", "a #\u{301}b", "a: \u{301}b", "a:\u{301} b", "\u{301}a", "\u{FE0F}", "#️⃣",
      ":️⃣",
    ])
  func `a new file is a valid sequence with its title, without remarks`(title: String) throws {
    let id = UUID()
    let parsed = try SequenceFile.parse(Array(try StarterFile.text(title: title, id: id).utf8))
    #expect(parsed.definition.title == title)
    #expect(parsed.definition.id == id)
    #expect(parsed.remarks == [])
    #expect(parsed.timeline.count == 7)
  }

  @Test func `the comments in a new file are valid too`() throws {
    let lines = try StarterFile.text(title: "x", id: UUID()).split(
      separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { $0.replacing("  # - ", with: "  - ").replacing("  #   ", with: "    ") }
    let parsed = try SequenceFile.parse(Array(text.joined(separator: "\n").utf8))
    #expect(parsed.timeline.count == 8)
    #expect(parsed.timeline.card(at: 7).timing == .countdown(.seconds(240), advance: .manual))
  }
}
