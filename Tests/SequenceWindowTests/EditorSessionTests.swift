import Foundation
import Glibc
import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceFiles
@testable import SequenceWindow

/// The editing of a file that other programs change, too.
@Suite(.timeLimit(.minutes(3)))
struct EditorSessionTests {
  private let directory: TemporaryDirectory
  private let path: String
  private static let text = """
    title: A
    cards:
      - { title: B, countdown: 1m }   # first
      - { title: C, countdown: 2m }

    """
  private let first = EditorPlace(list: EditorPlace.cards, index: 0)
  private let second = EditorPlace(list: EditorPlace.cards, index: 1)

  init() throws {
    directory = try TemporaryDirectory()
    path = try directory.write(EditorSessionTests.text, to: "a.yaml")
  }

  private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

  private func write(_ text: String) throws { _ = try directory.write(text, to: "a.yaml") }

  @Test func `an edit is written at once, and undone and done again`() throws {
    let session = EditorSession(path)
    #expect(session.undoName == nil)
    let place = try session.perform(.duplicate([first])).place
    #expect(place == second)
    let edited = EditorSessionTests.text.replacing(
      "  - { title: C", with: "  - { title: B, countdown: 1m }   # first\n  - { title: C")
    #expect(try text == edited)
    #expect(session.undoName == "Duplicate")
    // The place in the text that comes back.
    #expect(try session.undo() == first)
    #expect(try text == EditorSessionTests.text)
    #expect(session.undoName == nil && session.redoName == "Duplicate")
    #expect(try session.redo() == second)
    #expect(try text == edited)
    // A new edit ends what could be done again.
    try session.undo()
    _ = try session.perform(.set(first, .title("D")))
    #expect(session.redoName == nil)
  }

  @Test func `an edit that changes nothing is no step back`() throws {
    let session = EditorSession(path)
    _ = try session.perform(.set(first, .title("B")))
    #expect(session.undoName == nil)
  }

  @Test func `an edit is done on the text of another program`() throws {
    let session = EditorSession(path)
    try write(EditorSessionTests.text.replacing("title: C", with: "title: Other"))
    let result = try session.perform(.set(first, .title("Mine")))
    #expect(result.wasChanged)
    #expect(
      try text
        == EditorSessionTests.text.replacing("title: C", with: "title: Other").replacing(
          "title: B", with: "title: Mine"))
    // Both can be brought back.
    try session.undo()
    try session.undo()
    #expect(try text == EditorSessionTests.text)
    #expect(session.redoName == "Change in Another Program")
  }

  @Test func `an edit of a part that another program changed is not done`() throws {
    let session = EditorSession(path)
    let other = EditorSessionTests.text.replacing("title: B", with: "title: Other")
    try write(other)
    #expect(throws: EditorFailure.changed) { try session.perform(.set(first, .title("Mine"))) }
    #expect(try text == other)
    #expect(session.state.sequence?.rows[0].card?.title == "Other")
    #expect(EditorFailure.changed.text("B").contains("“B”"))
  }

  @Test func `a mistake of another program is never written over`() throws {
    let session = EditorSession(path)
    try write("title: A\ncards: [")
    #expect(throws: EditorFailure.unreadable) { try session.perform(.set(first, .title("Mine"))) }
    #expect(try text == "title: A\ncards: [")
    #expect(session.state.sequence == nil)
    // The editor comes back with the file.
    try write(EditorSessionTests.text.replacing("title: B", with: "title: D"))
    #expect(session.reload())
    #expect(session.state.sequence?.rows[0].card?.title == "D")
    // Undo leads through the texts of the other program.
    try session.undo()
    #expect(try text == "title: A\ncards: [")
    #expect(session.state.sequence == nil)
    try session.undo()
    #expect(try text == EditorSessionTests.text)
    try session.redo()
    try session.redo()
    #expect(try text.contains("title: D"))
  }

  @Test func `a file that is gone, and comes back`() throws {
    let session = EditorSession(path)
    unlink(path)
    #expect(throws: EditorFailure.unreadable) { try session.perform(.delete([first])) }
    #expect(!FileManager.default.fileExists(atPath: path))
    try write(EditorSessionTests.text)
    #expect(session.reload())
    _ = try session.perform(.delete([first]))
    #expect(session.state.sequence?.rows.count == 2)
  }

  @Test func `Undo brings back a file that is gone`() throws {
    let session = EditorSession(path)
    unlink(path)
    #expect(session.reload())
    try session.undo()
    #expect(try text == EditorSessionTests.text)
    #expect(session.state.sequence?.rows.count == 3)
  }

  @Test func `a file that may not be written stays, and is shown as such`() throws {
    let session = EditorSession(path)
    #expect(session.isWritable)
    // To the root user every file is writable.
    guard getuid() != 0 else { return }
    chmod(path, 0o444)
    #expect(!session.isWritable)
    #expect(throws: EditorFailure.unwritable(SystemError(call: "", code: EACCES))) {
      try session.perform(.set(first, .title("Mine")))
    }
    #expect(try text == EditorSessionTests.text)
  }

  @Test func `a file of a program that writes JSON is edited`() throws {
    let json = #"{"title": "Pizza \ud83c\udf55", "cards": [{"title": "Oven", "countdown": "20m"}]}"#
    try write(json)
    let session = EditorSession(path)
    _ = try session.perform(.set(first, .title("Oven: hot")))
    #expect(try text == json.replacing("Oven", with: "Oven: hot"))
    _ = try session.perform(.addCard(second))
    #expect(throws: Never.self) { _ = try JSONSerialization.jsonObject(with: Data(try text.utf8)) }
    _ = try session.perform(.rename("Pizza"))
    #expect(try SequenceFile.read(path: path).definition.title == "Pizza")
    #expect(throws: Never.self) { _ = try JSONSerialization.jsonObject(with: Data(try text.utf8)) }
  }

  @Test func `a pipe in the place of the file holds nothing up`() throws {
    let session = EditorSession(path)
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: EditorFailure.self) { try session.perform(.set(first, .title("Mine"))) }
    #expect(session.reload())
    #expect(session.state.sequence == nil)
    #expect(throws: EditorFailure.self) { try session.undo() }
  }

  @Test func `a file that became too large stays whole`() throws {
    let session = EditorSession(path)
    _ = try session.perform(.set(first, .title("Mine")))
    let line = EditorSessionTests.text + "# " + String(repeating: "x", count: 1_234_567) + "\n# end\n"
    try write(line)
    // Undo before the file is read again: it can't be brought back afterwards, so it stays.
    #expect(throws: EditorFailure.unwritable(SystemError(call: "", code: EFBIG))) { try session.undo() }
    #expect(try text == line)
    #expect(throws: EditorFailure.unwritable(SystemError(call: "", code: EFBIG))) {
      try session.perform(.set(first, .title("Other")))
    }
    #expect(session.reload())
    #expect(!session.reload())
    #expect(session.undoName == nil && session.redoName == nil)
    try session.undo()
    try session.redo()
    #expect(throws: EditorFailure.unreadable) { try session.perform(.set(first, .title("Other"))) }
    #expect(try text == line)
    // The texts from before come back with a file of a usual size.
    try write(EditorSessionTests.text)
    #expect(session.reload())
    #expect(session.undoName == "Change in Another Program")
    try session.undo()
    #expect(try text == EditorSessionTests.text.replacing("title: B", with: "title: Mine"))
  }

  @Test func `the steps of a number are one edit`() throws {
    try write("title: A\ncards:\n  - rounds: 2\n    cards:\n      - { title: B, countdown: 1m }\n")
    let before = try text
    let session = EditorSession(path)
    for count in 3...9 { _ = try session.perform(.set(first, .rounds(.times(count)))) }
    try session.undo()
    #expect(try text == before)
    #expect(session.undoName == nil)
  }

  @Test func `a link stays a link`() throws {
    let link = directory.path + "/link.yaml"
    symlink("a.yaml", link)
    _ = try EditorSession(link).perform(.set(first, .title("D")))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a.yaml")
    #expect(try text.contains("title: D"))
  }

  @Test func `a directory that can't be written to leaves the file and the edits`() throws {
    let session = EditorSession(path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path) }
    guard getuid() != 0 else { return }
    let failure = #expect(throws: EditorFailure.self) { try session.perform(.set(first, .title("D"))) }
    #expect(failure == .unwritable(SystemError(call: "", code: EACCES)))
    #expect(try text == EditorSessionTests.text)
    #expect(session.undoName == nil)
  }

  @Test func `two editors and a text editor lose no change`() throws {
    let cards = (0..<20).map { "  - { title: C\($0), countdown: 1m }\n" }.joined()
    try write("title: A\ncards:\n" + cards + "# 0\n")
    let path = path
    let (one, other) = (EditorSession(path), EditorSession(path))
    // The text editor reads, changes its line and renames a new file into place, without looking again.
    let editor = Thread {
      for round in 1...1000 {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
          let mark = text.firstIndex(of: "#")
        else { continue }
        try? Data((text[..<mark] + "# \(round)\n").utf8).write(
          to: URL(fileURLWithPath: path), options: .atomic)
      }
    }
    editor.start()
    var written: [[Int]] = [[], []]
    for round in 0..<500 {
      for (index, session) in [one, other].enumerated() {
        let place = EditorPlace(list: EditorPlace.cards, index: index * 10 + round % 10)
        _ = session.reload()
        do throws(EditorFailure) {
          _ = try session.perform(.set(place, .note("\(index)-\(round)")))
          written[index].append(round)
        } catch {
          // The other program has the part, and the user is told.
          #expect(error == .changed)
        }
      }
    }
    while !editor.isFinished { sched_yield() }
    for session in [one, other] { _ = session.reload() }
    #expect(one.state.sequence?.document == other.state.sequence?.document)
    #expect(one.state.sequence?.rows.count == 21)
    #expect(written[0].count + written[1].count > 500)
  }
}
