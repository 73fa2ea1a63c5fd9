import FoundationEssentials
import Platform
import Presentation
import SequenceFiles
import SequenceRunner
import Store

/// `complete`: the candidates that the completions of the shells ask for, at each press of the key.
///
/// It is no command for people, and in no table. Nothing is changed by it, not even a store that is not there yet.
enum CompleteCommand {
  /// What can be put in the place of a word, and what it is.
  struct Candidate: Equatable {
    let value: String
    let description: String
  }

  /// How many runs that are over are offered.
  private static let mostRuns = 20

  /// Prints candidates, a line for each: the value and, after a tab, what it is.
  ///
  /// - Parameter words: what is asked for, and the words of the command line before the one that is being written.
  static func perform(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
    guard let name = words.first, let kind = CandidateKind(rawValue: name) else {
      let kinds = CandidateKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("complete needs one of \(kinds); the completions of the shells call it")
    }
    let line = PartialCommandLine(Array(words.dropFirst()))
    // What a shell would have to hide from the terminal cannot be completed.
    let candidates = try candidates(kind, line, context).filter {
      !$0.value.isEmpty && TextSafety.isSafe($0.value)
    }
    guard !candidates.isEmpty else { return .done }
    let lines = candidates.map { $0.value + "\t" + TextSafety.sanitised($0.description) }
    try context.print(lines.joined(separator: "\n"))
    return .done
  }

  private static func candidates(
    _ kind: CandidateKind, _ line: PartialCommandLine, _ context: CommandContext
  ) throws -> [Candidate] {
    switch kind {
    case .names: return try names(context)
    case .cards: return try cards(line, context)
    case .runs, .endedRuns:
      guard let glance = try glance(line, context) else { return [] }
      return try (kind == .runs ? activeRuns(glance, context) : []) + endedRuns(glance)
    case .activeCards:
      let cards = try activeRun(line, context)?.sequence.elements.flatMap(\.cards) ?? []
      return cards.map { Candidate(value: $0.id.uuidString, description: $0.title) }
    case .activeSequence:
      let sequence = try activeRun(line, context)?.sequence
      return sequence.map { [Candidate(value: $0.id.uuidString, description: $0.title)] } ?? []
    }
  }

  private static func names(_ context: CommandContext) throws -> [Candidate] {
    try context.library().entries().filter(\.isText).map {
      Candidate(value: $0.name, description: "sequence")
    }
  }

  /// The titles of the cards that are not left out yet; the id of one whose title cannot be written on one line.
  private static func cards(_ line: PartialCommandLine, _ context: CommandContext) throws -> [Candidate] {
    guard let word = line.positional.first, word != "-" else { return [] }
    let lookup = SequenceLookup(library: SequenceLibrary(environment: context.environment))
    let path = try lookup.find(word).path
    // Reading a pipe would take away what is in it.
    guard FileKind(of: path) == .file else { return [] }
    var known = Set(line.values(SequenceSource.without))
    let cards = try SequenceSource.read(path, as: path).definition.elements.flatMap(\.cards)
    return cards.compactMap { card in
      guard known.insert(card.title).inserted else { return nil }
      guard TextSafety.isSafe(card.title) else {
        return Candidate(value: card.id.uuidString, description: card.title)
      }
      return Candidate(value: card.title, description: StepText.length(card))
    }
  }

  /// The active run, or none.
  private static func activeRuns(_ glance: StoreGlance, _ context: CommandContext) throws -> [Candidate] {
    let run = try glance.activeRun(at: context.clock.now())
    return run.map { [Candidate(value: $0.runID.uuidString, description: "active: \($0.sequence.title)")] }
      ?? []
  }

  private static func endedRuns(_ glance: StoreGlance) throws -> [Candidate] {
    try glance.lastRuns(mostRuns).map {
      Candidate(value: $0.id, description: "\($0.outcome) \($0.endedAt): \($0.title)")
    }
  }

  private static func activeRun(
    _ line: PartialCommandLine, _ context: CommandContext
  ) throws -> ActiveRunSnapshot? {
    try glance(line, context)?.activeRun(at: context.clock.now())
  }

  private static func glance(_ line: PartialCommandLine, _ context: CommandContext) throws -> StoreGlance? {
    let given = line.values(CommandContext.stateDirectory).last.map { StateDirectory(path: $0) }
    guard let directory = given ?? StateDirectory(environment: context.environment) else { return nil }
    return try StoreGlance(directory)
  }
}
