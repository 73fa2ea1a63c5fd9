import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

/// A problem in the words of the window: one line, or a heading with the whole text below it.
struct Message: Error, Hashable {
  let heading: String
  /// The whole problem and its remedy; `nil` if the heading says everything.
  let body: String?

  init(_ heading: String, _ body: String? = nil) {
    self.heading = heading
    self.body = body
  }

  init(_ error: any Error) {
    switch error {
    case let message as Message: self = message
    case let error as RunError: self.init(error)
    case let error as ClientError: self.init(error)
    case let error as SequenceChoiceError: self.init(error)
    case let error as StoreError:
      self.init("The Run Can’t Be Read or Changed", Message.sentences(error.problem))
    case let error as any ExplainedError:
      self.init("Something Went Wrong", Message.sentences(error.problem))
    default: self.init("Something Went Wrong", Message.sentences("\(error)"))
    }
  }

  /// Explains a warning about something that happened without the user.
  init(warning: Problem) {
    self.init("Something Needs Your Attention", Message.sentences(warning))
  }

  static func sentences(_ parts: String?...) -> String {
    parts.compactMap { $0 }.map { part in
      let text = TextSafety.sanitised(part).capitalizedFirst
      return text.last.map { ".?!".contains($0) } == true ? text : text + "."
    }.joined(separator: " ")
  }

  static func sentences(_ problem: Problem) -> String { sentences(problem.text, problem.remedy) }

  var text: String { body ?? heading }
}

extension Message {
  private init(_ error: RunError) {
    switch error {
    case .noActiveRun, .runPassed: self.init("That run has ended")
    case .runActive(let title):
      self.init("Another Run Is Active", "“\(TextSafety.sanitised(title))” is running. Stop it first.")
    case .sequenceActive(let title):
      self.init(
        "This Sequence Is Active", "“\(TextSafety.sanitised(title))” can have one run. Stop it first.")
    case .invalidName, .nameTaken:
      self.init("This Name Can’t Be Used", Message.sentences(error.problem))
    case .tooManyRuns:
      self.init("Too Many Runs", "\(SequenceLimits.mostRuns) runs are active. Stop one of them first.")
    case .justEnded(let title):
      self.init("“\(TextSafety.sanitised(title))” Has Just Ended", "Choose the run that you mean.")
    case .alreadyPaused: self.init("The run is already paused")
    case .alreadyRunning: self.init("The run is already running")
    case .notSuspended: self.init("There is no time to count")
    case .nothingToExtend: self.init("This step has no end to move")
    case .shortenedTooMuch(let most) where most == .zero: self.init("The time of this step is over")
    case .shortenedTooMuch(let most): self.init("Only \(LengthText.format(most)) left")
    case .extendedTooMuch: self.init("A step can last 30 days at most")
    case .stepPassed: self.init("That step had already ended")
    case .noSuchStep: self.init("The sequence has no such step")
    case .tooEarly, .endlessUntil: self.init("This Time Can’t Be Met", Message.sentences(error.problem))
    }
  }

  private init(_ error: ClientError) {
    let (heading, body): (String, String) =
      switch error {
      case .fileExists(_, let word):
        (
          "This Name Is Taken",
          "Your library already has a sequence named \(Message.quoted(word)). Choose another name."
        )
      case .unusableName(_, let problem):
        ("This Name Can’t Be Used", Message.sentences(problem, "choose another name"))
      case .unknownSequence(let word, let near):
        (
          "Sequence Not Found",
          Message.sentences(
            "your library has no sequence named \(Message.quoted(word))",
            near.isEmpty ? nil : "did you mean \(alternatives(near.map(Message.quoted)))?")
        )
      case .ambiguousSequence(let name, let files):
        (
          "This Name Is Not Unique",
          Message.sentences(
            "several files are named \(Message.quoted(name)): \(files.joined(separator: ", "))",
            "rename all but one of them")
        )
      case .unusableFileName(let file, let problem):
        ("This File Name Can’t Be Used", Message.sentences(problem, "rename the file \(file)"))
      case .unknownRun, .runEnded, .ambiguousRun:
        ("That Run Is Not Active", Message.sentences(error.problem))
      case .file(let error, let name):
        (
          error.isUnreadable ? "The File Can’t Be Read" : "The File Has a Mistake",
          Message.sentences(error.problem(inFile: name))
        )
      case .importable(let name, _, let format):
        (
          "Not a Sequence File",
          "\(TextSafety.sanitised(name)) may be \(format). Import… in the menu converts it."
        )
      case .noStepsInOneRound(let title):
        (
          "No Step Is Left",
          "All cards of \(Message.quoted(title)) are left out of the last round. Choose 2 rounds or more."
        )
      case .unwritable(let path, let error, let remedy):
        (
          "The File Can’t Be Saved",
          Message.sentences(
            "\(TextSafety.sanitised(path)): \(error.reason)", remedy)
        )
      case .noLibrary, .missingProgram, .missingStarter, .agentCannotRun, .runLost:
        ("Something Went Wrong", Message.sentences(error.problem))
      }
    self.init(heading, body)
  }

  private init(_ error: SequenceChoiceError) {
    switch error {
    case .severalGroups:
      self.init(
        "The Rounds Can’t Be Chosen", "This sequence has several groups. Change their rounds in the file.")
    case .noSuchCard:
      self.init("The File Has Changed", "A card that you chose is no longer there. Open the page again.")
    case .noLength(let card), .setTwice(let card):
      self.init(
        "The Length Can’t Be Chosen", "\(Message.quoted(card)) has no length of its own. Open the page again."
      )
    case .nothingLeft: self.init("No Card Is Left", "Leave out fewer cards.")
    }
  }

  /// A problem and its remedy as one sentence for people who look at a window.
  static func sentence(_ problem: Problem) -> String {
    TextSafety.sanitised(problem.description).capitalizedFirst
  }

  private static func quoted(_ text: String) -> String { "“\(TextSafety.sanitised(text))”" }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// Returns a text of the window in the user's language, which is English for now.
///
/// - Parameters:
///   - text: the text in English, the same at each call, so that a catalog can be made of the source.
///   - parts: the texts that take the places of `{}`, in order.
func translated(_ text: String, _ parts: String...) -> String { filled(text, parts) }

/// Returns a text with a number in the form that the user's language has for it, such as `1 card` or `3 cards`.
///
/// - Parameters:
///   - one: the text for 1.
///   - many: the text for all other numbers; `{}` is the number.
func translated(_ one: String, _ many: String, count: Int) -> String {
  filled(count == 1 ? one : many, [String(count)])
}

private func filled(_ text: String, _ parts: [String]) -> String {
  let pieces = text.split(separator: "{}", omittingEmptySubsequences: false)
  // A text without a place for a part, such as one that spells its number out, leaves it out.
  let filling = parts.prefix(pieces.count - 1) + Array(repeating: "", count: pieces.count)
  return zip(pieces, filling).map { $0 + $1 }.joined()
}
