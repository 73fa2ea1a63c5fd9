import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceWindow

@Suite struct MessageTests {
  private static let errors: [any Error] = [
    RunError.noActiveRun, RunError.runActive(title: "Tea"), RunError.alreadyPaused, RunError.alreadyRunning,
    RunError.notSuspended, RunError.nothingToExtend(title: "Tea"), RunError.shortenedTooMuch(most: .zero),
    RunError.shortenedTooMuch(most: .seconds(86_399)), RunError.extendedTooMuch,
    RunError.stepPassed(expected: 1, current: 2), RunError.runPassed,
    ClientError.noLibrary, ClientError.unknownSequence("tabatta", near: ["tabata"]),
    ClientError.unknownSequence("x", near: []),
    ClientError.ambiguousSequence("a", files: ["a.yaml", "a.yml"]),
    ClientError.unusableFileName("-.yaml", problem: "it begins with -"),
    ClientError.unusableName("a/b", problem: "it has a slash"),
    ClientError.fileExists("/home/u/.local/share/sequence/Leg day.yaml", word: "Leg day"),
    ClientError.importable(name: "a.zwo", path: "/a.zwo", format: "a Zwift workout"),
    ClientError.noStepsInOneRound(sequence: "Tabata"), ClientError.runLost,
    SequenceChoiceError.severalGroups(rounds: [1, 2]),
    SequenceChoiceError.noSuchCard("C8FEC2B2", sequence: "A", cards: ["B"]),
    SequenceChoiceError.nothingLeft(sequence: "A"),
    SequenceChoiceError.noLength(card: "A"),
    SequenceChoiceError.setTwice(card: "A"),
    StoreError.busy(path: "/s/sequence.db"), StoreError.readOnly(path: "/s"), StoreError.foreign(path: "/s"),
    Problem("no application is registered", remedy: "open it yourself: /a.yaml"),
  ]

  @Test(arguments: errors.indices)
  func `a message has no words of the command line, and is a line or a dialog`(index: Int) {
    let message = Message(MessageTests.errors[index])
    #expect(!message.text.contains("--"), "\(message)")
    #expect(!message.text.contains("run sequence") && !message.text.contains("with sequence"), "\(message)")
    // The narrowest window has room for so many characters in a line.
    #expect(message.heading.count <= 32, "\(message)")
    if let body = message.body { #expect(body.hasSuffix(".") || body.hasSuffix("?"), "\(body)") }
  }

  /// The errors that a list has besides the ones above.
  private static let others: [any Error] = [
    RunError.sequenceActive(title: "Tea"), RunError.invalidName("a b"), RunError.nameTaken("tea"),
    RunError.tooManyRuns, RunError.justEnded(title: "Tea"), RunError.noSuchStep(3, count: 2),
    ClientError.unwritable("/a", SystemError(call: "write", code: 13), remedy: "choose another directory"),
    ClientError.missingProgram("sequence-agent", places: ["/a"]),
    ClientError.missingStarter("tabata", places: ["/a"]),
    ClientError.agentCannotRun(.exit(1), message: nil), ClientError.unknownRun("x", active: ["tea"]),
    ClientError.ambiguousRun("1111", names: ["a", "b"]), SystemError(call: "open /a", code: 2),
  ]

  @Test func `every message of the window has the words of the list`() throws {
    let unwritable = SystemError(call: "write", code: 13)
    let failures = [
      EditorFailure.changed, .unreadable, .unwritable(unwritable), .lastCard, .isRepeated, .notPossible,
    ].flatMap { [$0.text(nil), $0.text("Work")] }
    let messages = (MessageTests.errors + MessageTests.others).map(Message.init)
    let preferences = [PreferencesFile.notPossible, PreferencesFile(path: "/a").unwritable(unwritable)]
    let lines = (messages + preferences).map {
      [$0.heading, $0.body].compactMap(\.self).joined(separator: " | ")
    }
    let differences = try MessageList("window").differences(of: lines + failures)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  @Test func `a name that is taken is named, with the remedy`() {
    let message = Message(ClientError.fileExists("/home/u/a.yaml", word: "a"))
    #expect(message.text == "Your library already has a sequence named “a”. Choose another name.")
  }

  @Test func `a mistake in a file has its place and the remedy`() throws {
    let error = try #require(throws: SequenceFileError.self) {
      try SequenceFile.parse(Array("title: A\ncards: [{ title: W, countdown: 2x }]".utf8))
    }
    let text = Message(ClientError.file(error, name: "a.yaml")).text
    #expect(text.hasPrefix("A.yaml:2:") || text.hasPrefix("a.yaml:2:"), "\(text)")
    #expect(text.contains("is not a duration. Write it like"), "\(text)")
  }
}
