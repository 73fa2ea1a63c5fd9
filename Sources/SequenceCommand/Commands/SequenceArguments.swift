import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequenceRunner

/// The argument and the options that give a sequence: a file, a name or cards, with the changes for this run.
enum SequenceArguments {
  static let file = Argument<String>("FILE|NAME", isOptional: true, kind: .sequence)
  static let options: [any OptionSpec] = [card, rounds, without, set, title]
  static let discussion: [LocalizedText] = [
    """
    FILE is a path, or - for standard input. NAME is a sequence of your library (see sequence list): a \
    word without a slash, without the ending .yaml or .yml, that isn't a file in the current directory.
    """,
    """
    With a FILE, --rounds sets the rounds of its top-level group. A file without groups is repeated as a \
    whole; with several top-level groups, --rounds is an error. --rounds forever repeats until you stop \
    the run; the group must be the last element. --without leaves out all cards with that title.
    """,
    "--set changes the countdown or the goal of all cards with a title, to one length in all rounds. The file stays as it is.",
  ]
  /// The option whose values the completion of `--without` doesn't offer again.
  static let without = Option<String>(
    "without", "CARD", "leave out a card in this run, by title or ID", isRepeatable: true, kind: .card)
  /// The option whose titles completion doesn't offer again.
  static let set = Option<(title: String, length: Duration)>(
    "set", "TITLE=DURATION", "length of a card in this run", isRepeatable: true, kind: .cardLength
  ) { text throws(Failure) in
    guard let sign = text.lastIndex(of: "="), !trimmed(text[..<sign]).isEmpty else {
      throw Failure(
        usage: "--set needs a title and a duration, not \(quote(text))",
        remedy: "write it like --set Work=40s")
    }
    let duration = trimmed(text[sign...].dropFirst())
    do throws(DurationTextError) {
      return (trimmed(text[..<sign]), try DurationText.parseTyped(duration))
    } catch {
      throw Failure(error.problem(with: "\(quote(duration))"), .usage)
    }
  }
  private static let card = Option<String>(
    "card", "SPEC", "add a card, such as \"Work 20s\", instead of a FILE", isRepeatable: true)
  static let rounds = Option<Rounds>(
    "rounds", "N", "repeat the cards N times, or forever"
  ) { text throws(Failure) in
    if text == Rounds.foreverText { return .forever }
    guard let rounds = Int(text), (1...SequenceLimits.mostSteps).contains(rounds) else {
      throw Failure(
        usage:
          "--rounds must be a whole number from 1 to \(SequenceLimits.mostSteps), or forever, not \(quote(text))"
      )
    }
    return .times(rounds)
  }
  private static let title = Option<String>("title", "TITLE", "title of a sequence given with --card") {
    title throws(Failure) in
    guard title.contains(where: { !$0.isWhitespace }), !SequenceLimits.isTooLong(title) else {
      throw Failure(
        usage: "--title must have at least 1 character, and at most \(SequenceLimits.titleLimits)")
    }
    return title
  }

  static func source(_ arguments: ParsedArguments, _ context: CommandContext) throws -> SequenceSource {
    let rounds = try arguments[rounds]
    let cards = try arguments.values(card)
    guard let word = try arguments[file] else {
      guard !cards.isEmpty else {
        let name = arguments.command.name
        throw Failure(usage: "\(name) needs a FILE or --card", remedy: "see sequence help \(name)")
      }
      guard !arguments.has(without) else {
        throw Failure(usage: "--without works only with a FILE", remedy: "remove the --card instead")
      }
      guard !arguments.has(set) else {
        throw Failure(usage: "--set works only with a FILE", remedy: "change the --card instead")
      }
      let title = try arguments[title]
      do throws(Problem) {
        return try SequenceSource(cards: cards, rounds: rounds ?? 1, title: title)
      } catch {
        throw Failure(error, .usage)
      }
    }
    guard cards.isEmpty else {
      if let card = cards.first(where: { !hasTime($0) && hasTime("\($0) \(word)") }) {
        throw Failure(
          usage: "\(quote(word)) is not part of a --card", remedy: "write --card \(quote("\(card) \(word)"))")
      }
      throw Failure(
        usage: "a FILE and --card cannot be combined",
        remedy: "remove one of them; for another length, write --set TITLE=DURATION")
    }
    guard !arguments.has(title) else {
      throw Failure(usage: "--title works only with --card", remedy: "change the title in the file")
    }
    return try SequenceSource(
      word, rounds: rounds, without: try arguments.values(without), lengths: try arguments.values(set),
      context.clientContext)
  }

  private static func hasTime(_ card: String) -> Bool {
    do throws(Problem) {
      if case .countdown = try CardSpec.sequence(cards: [card]).card(at: 0).timing { return true }
    } catch {
      // A card with a mistake has none.
    }
    return false
  }
}

enum FromOption {
  static let option = Option<String>(
    "from", "STEP", "start at a step, by its number or the title of a card", kind: .card
  ) { text throws(Failure) in
    guard !text.isEmpty else {
      throw Failure(usage: "--from needs a step", remedy: "write it like --from 5, or --from TITLE")
    }
    return text
  }

  /// Returns the index of the step, which is the first one without the option.
  ///
  /// A number stands for the step with that number, and a title or an id for the first step of the card.
  static func step(_ arguments: ParsedArguments, in timeline: Timeline) throws(Failure) -> Int {
    guard let word = try arguments[option] else { return 0 }
    if word.utf8.allSatisfy({ (48...57).contains($0) }) {
      guard let number = Int(word), (1...timeline.listedCount).contains(number) else {
        throw Failure(
          usage: "there is no step \(word)",
          remedy: RunError.noSuchStep(0, count: timeline.listedCount).problem.remedy)
      }
      return number - 1
    }
    if let step = (0..<timeline.listedCount).first(where: { timeline.card(at: $0).isMeant(by: word) }) {
      return step
    }
    let cards = timeline.definition.elements.flatMap(\.cards)
    guard !cards.contains(where: { $0.isMeant(by: word) }) else {
      throw Failure(usage: "\(quote(word)) has no step, because of skipLast", remedy: "choose another card")
    }
    let unknown = SequenceChoiceError.noSuchCard(
      word, sequence: timeline.definition.title, cards: cards.map(\.title)
    )
    throw Failure(unknown.problem, .usage)
  }
}

enum UntilOption {
  static let option = Option<TimeOfDay>(
    "until", "TIME", "end at this time, such as 13:00 (see atLeast, atMost)", parse: time)

  static func time(_ text: String) throws(Failure) -> TimeOfDay {
    guard let time = TimeOfDay(text) else {
      throw Failure(usage: "--until must be a time of day such as 14:30 or 7pm, not \(quote(text))")
    }
    return time
  }

  /// Returns the next moment when the clocks show the time, within a day; `nil` without the option.
  static func moment(_ arguments: ParsedArguments, _ context: CommandContext) throws(Failure) -> Moment? {
    guard let time = try arguments[option] else { return nil }
    let now = context.clock.now().wall
    return now.advanced(by: LocalDays.duration(until: time, after: now))
  }
}

enum LabelOption {
  static let added = Option<String>(
    "label", "LABEL", "label the run, such as client-a", isRepeatable: true, kind: .label, parse: label)
  static let filter = Option<String>(
    "label", "LABEL", "only runs with this label", kind: .label, parse: label)

  private static func label(_ text: String) throws(Failure) -> String {
    let label = text.lowercased()
    guard RunName.isValid(label) else { throw Failure(RunName.problem(ofLabel: text), .usage) }
    return label
  }

  /// Returns the labels of the run, each once.
  static func labels(_ arguments: ParsedArguments) throws(Failure) -> [String] {
    var labels: [String] = []
    for label in try arguments.values(added) where !labels.contains(label) { labels.append(label) }
    guard labels.count <= SequenceLimits.mostLabels else {
      throw Failure(
        usage: "a run can have at most \(SequenceLimits.mostLabels) --label", remedy: "remove some")
    }
    return labels
  }
}

enum CueOption {
  static let option = Option<(sound: Bool, speech: Bool)>(
    "cues", "sound,speech|none", "sounds and speech for this run (overrides config.yaml)",
    kind: .choice(["sound", "speech", "sound,speech", "none"])
  ) { text throws(Failure) in
    guard let choice = Cues.named(text) else {
      throw Failure(usage: "--cues must be sound, speech, sound,speech or none, not \(quote(text))")
    }
    return choice
  }
}
