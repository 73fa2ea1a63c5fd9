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
      self.init(translated("The Run Can’t Be Read or Changed"), Message.sentences(error.problem))
    case let error as any ExplainedError:
      self.init(translated("Something Went Wrong"), Message.sentences(error.problem))
    default: self.init(translated("Something Went Wrong"), Message.sentences("\(error)"))
    }
  }

  static func sentences(_ parts: LocalizedText?...) -> String {
    parts.compactMap { $0 }.map { part in
      let text = TextSafety.sanitised(part.translation).capitalizedFirst
      return text.last.map { ".?!。؟".contains($0) } == true ? text : translated("{}.", text)
    }.joined(separator: " ")
  }

  static func sentences(_ problem: Problem) -> String { sentences(problem.text, problem.remedy) }

  var text: String { body ?? heading }
}

extension Message {
  private init(_ error: RunError) {
    switch error {
    case .noActiveRun, .runPassed: self.init(translated("That run has ended"))
    case .runActive(let title):
      self.init(
        translated("Another Run Is Active"),
        translated("“{}” is running. Stop it first.", TextSafety.sanitised(title)))
    case .sequenceActive(let title):
      self.init(
        translated("This Sequence Is Active"),
        translated("“{}” can have one run. Stop it first.", TextSafety.sanitised(title)))
    case .invalidName, .nameTaken:
      self.init(translated("This Name Can’t Be Used"), Message.sentences(error.problem))
    case .tooManyRuns:
      self.init(
        translated("Too Many Runs"),
        translated("{} runs are active. Stop one of them first.", String(SequenceLimits.mostRuns)))
    case .justEnded(let title):
      self.init(
        translated("“{}” Has Just Ended", TextSafety.sanitised(title)),
        translated("Choose the run that you mean."))
    case .alreadyPaused: self.init(translated("The run is already paused"))
    case .alreadyRunning: self.init(translated("The run is already running"))
    case .notSuspended: self.init(translated("There is no time to count"))
    case .nothingToExtend: self.init(translated("This step has no end to move"))
    case .shortenedTooMuch(let most) where most == .zero:
      self.init(translated("The time of this step is over"))
    case .shortenedTooMuch(let most): self.init(translated("Only {} left", LengthText.format(most)))
    case .extendedTooMuch: self.init(translated("A step can last 30 days at most"))
    case .stepPassed: self.init(translated("That step had already ended"))
    case .noSuchStep: self.init(translated("The sequence has no such step"))
    case .tooEarly, .endlessUntil:
      self.init(translated("This Time Can’t Be Met"), Message.sentences(error.problem))
    }
  }

  private init(_ error: ClientError) {
    let (heading, body): (String, String) =
      switch error {
      case .fileExists(_, let word):
        (
          translated("This Name Is Taken"),
          translated(
            "Your library already has a sequence named “{}”. Choose another name.", TextSafety.sanitised(word)
          )
        )
      case .unusableName(_, let problem):
        (translated("This Name Can’t Be Used"), Message.sentences(problem, "choose another name"))
      case .unknownSequence(let word, let near):
        (
          translated("Sequence Not Found"),
          Message.sentences(
            "your library has no sequence named “\(TextSafety.sanitised(word))”",
            near.isEmpty ? nil : LocalizedText("did you mean \(alternatives(near.map(Message.quoted)))?"))
        )
      case .ambiguousSequence(let name, let files):
        (
          translated("This Name Is Not Unique"),
          Message.sentences(
            "several files are named “\(TextSafety.sanitised(name))”: \(files.joined(separator: ", "))",
            "rename all but one of them")
        )
      case .unusableFileName(let file, let problem):
        (
          translated("This File Name Can’t Be Used"),
          Message.sentences(problem, "rename the file \(file)")
        )
      case .unknownRun, .runEnded, .ambiguousRun:
        (translated("That Run Is Not Active"), Message.sentences(error.problem))
      case .file(let error, let name):
        (
          error.isUnreadable ? translated("The File Can’t Be Read") : translated("The File Has a Mistake"),
          Message.sentences(error.problem(inFile: name))
        )
      case .importable(let name, _, let format):
        (
          translated("Not a Sequence File"),
          translated(
            "{name} may be {format}. Import… in the menu converts it.",
            ["name": TextSafety.sanitised(name), "format": format.translation])
        )
      case .noStepsInOneRound(let title):
        (
          translated("No Step Is Left"),
          translated(
            "All cards of “{}” are left out of the last round. Choose 2 rounds or more.",
            TextSafety.sanitised(title))
        )
      case .unwritable(let path, let error, let remedy):
        (
          translated("The File Can’t Be Saved"),
          Message.sentences(
            "\(TextSafety.sanitised(path)): \(error.reason)", remedy)
        )
      case .noLibrary, .missingProgram, .missingStarter, .agentCannotRun, .runLost:
        (translated("Something Went Wrong"), Message.sentences(error.problem))
      }
    self.init(heading, body)
  }

  private init(_ error: SequenceChoiceError) {
    switch error {
    case .severalGroups:
      self.init(
        translated("The Rounds Can’t Be Chosen"),
        translated("This sequence has several groups. Change their rounds in the file."))
    case .noSuchCard:
      self.init(
        translated("The File Has Changed"),
        translated("A card that you chose is no longer there. Open the page again."))
    case .noLength(let card), .setTwice(let card):
      self.init(
        translated("The Length Can’t Be Chosen"),
        translated("“{}” has no length of its own. Open the page again.", TextSafety.sanitised(card))
      )
    case .nothingLeft: self.init(translated("No Card Is Left"), translated("Leave out fewer cards."))
    }
  }

  /// A problem and its remedy as one sentence for people who look at a window.
  static func sentence(_ problem: Problem) -> String {
    TextSafety.sanitised(problem.line.translation).capitalizedFirst
  }

  private static func quoted(_ text: String) -> String { "“\(TextSafety.sanitised(text))”" }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
