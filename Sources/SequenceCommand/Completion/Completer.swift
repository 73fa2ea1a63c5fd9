import FoundationEssentials
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

struct Completion: Equatable {
  var candidates: [Candidate] = []
  /// The kind of files that the shell adds itself, because only the shell expands its variables and abbreviations.
  var files = Files.none
  /// The beginning of the word before the value, such as `--title=`.
  var before = ""

  struct Candidate: Equatable {
    let value: String
    var description = ""
  }

  enum Files: String {
    case none, files, directories
    case sequences
  }
}

/// Completes the word at the cursor of a command line, for all shells.
///
/// It only reads, and doesn't create a missing store.
struct Completer {
  let context: CommandContext

  private static let mostRuns = 20

  /// - Parameters:
  ///   - words: the words between the program's name and the one at the cursor.
  ///   - current: the part of the word before the cursor.
  func completion(of words: [String], _ current: String) throws -> Completion {
    var scanner = CommandTable.scanner(words)
    while let part = scanner.next() {
      guard case .argument(let name) = part else { continue }
      // Options may be before the command, too.
      let before = words.dropLast(scanner.rest.count + 1)
      return try completion(of: name, Array(before + scanner.rest), current)
    }
    let line = PartialCommandLine(CommandTable.scanner(words))
    let known = CommandTable.program + CommandTable.common.filter { $0.name != Flag.help.name }
    if let completion = try value(current, line, known) { return completion }
    return current.hasPrefix("-")
      ? options(known.filter { !line.has($0) }) : Completion(candidates: commands())
  }

  private func value(
    _ current: String, _ line: PartialCommandLine, _ options: [any OptionSpec]
  ) throws -> Completion? {
    let scalars = current.unicodeScalars
    if let kind = line.unfinished?.kind { return try values(kind, current, line) }
    guard !line.isOnlyArguments, current.hasPrefix("--"), let end = scalars.firstIndex(of: "=") else {
      return nil
    }
    let written = String(scalars[..<end])
    guard let kind = options.first(where: { $0.isWritten(written) })?.kind else { return Completion() }
    var completion = try values(kind, String(scalars[scalars.index(after: end)...]), line)
    completion.before = String(scalars[...end])
    return completion
  }

  private func completion(of name: String, _ words: [String], _ current: String) throws -> Completion {
    guard let command = CommandTable.commands.first(where: { $0.name == name }) else { return Completion() }
    let line = PartialCommandLine(command.scanner(words))
    if let completion = try value(current, line, command.allOptions) { return completion }
    if !line.isOnlyArguments {
      if current.hasPrefix("-") || current.isEmpty && line.next(of: command) == nil {
        return options(command.allOptions.filter { $0.isRepeatable || !line.has($0) })
      }
    }
    guard let argument = line.next(of: command) else { return Completion() }
    return try values(argument.kind, current, line)
  }

  private func options(_ options: [any OptionSpec]) -> Completion {
    Completion(candidates: options.map { .init(value: "--" + $0.name, description: $0.summary.translation) })
  }

  private func commands() -> [Completion.Candidate] {
    CommandTable.commands.map { .init(value: $0.name, description: $0.summary.translation) }
  }

  private func values(
    _ kind: ValueKind, _ current: String, _ line: PartialCommandLine
  ) throws -> Completion {
    switch kind {
    case .text: Completion()
    case .choice(let words): Completion(candidates: words.map { .init(value: $0) })
    case .file: Completion(files: .files)
    case .directory: Completion(files: .directories)
    // A word with a slash is a path, to any kind of file.
    case .sequence where current.unicodeScalars.contains("/") || current.hasPrefix("~"),
      .scheduled where current.unicodeScalars.contains("/") || current.hasPrefix("~"):
      Completion(files: .files)
    case .sequence: Completion(candidates: try names(), files: .sequences)
    case .scheduled:
      Completion(candidates: try names() + ScheduleCommand.actions, files: .sequences)
    case .command: Completion(candidates: commands())
    case .starter where current.unicodeScalars.contains("/") || current.hasPrefix("~"):
      Completion(files: .directories)
    case .starter:
      Completion(candidates: Starter.allCases.map { .init(value: $0.rawValue, description: $0.summary) })
    case .card: Completion(candidates: try cards(line))
    case .cardLength: Completion(candidates: try lengths(line))
    case .run: Completion(candidates: try names(ofRuns: line) + endedRuns(line))
    case .activeRun: Completion(candidates: try names(ofRuns: line))
    case .endedRun:
      Completion(candidates: try line.argument == nil ? deletion(endedRuns(line)) : endedRuns(line))
    case .activeCard:
      Completion(
        candidates: try activeRuns(line).flatMap { $0.sequence.elements.flatMap(\.cards) }.map {
          .init(value: $0.id.uuidString, description: $0.title)
        })
    case .activeSequence:
      Completion(
        candidates: try activeRuns(line).map {
          .init(value: $0.sequence.id.uuidString, description: $0.sequence.title)
        })
    case .label: Completion(candidates: try labels(line).map { .init(value: $0) })
    }
  }

  private func names() throws -> [Completion.Candidate] {
    try SequenceLibrary(environment: context.environment)?.entries().filter(\.isText).map {
      .init(value: $0.name, description: "sequence")
    } ?? []
  }

  /// The titles of the cards that aren't left out yet; the id if a title contains control characters.
  private func cards(_ line: PartialCommandLine) throws -> [Completion.Candidate] {
    var known = Set(line.values(SequenceArguments.without))
    return try allCards(line).compactMap { card in
      guard known.insert(card.title).inserted else { return nil }
      guard TextSafety.isSafe(card.title) else {
        return .init(value: card.id.uuidString, description: card.title)
      }
      return .init(value: card.title, description: StepText.length(card))
    }
  }

  /// The titles of the cards whose length isn't set yet, with the length that they have.
  private func lengths(_ line: PartialCommandLine) throws -> [Completion.Candidate] {
    var known = Set(
      line.values(SequenceArguments.set).map { $0[..<($0.lastIndex(of: "=") ?? $0.endIndex)].lowercased() })
    return try allCards(line).compactMap { card in
      guard let length = card.timing.target, known.insert(card.title.lowercased()).inserted else {
        return nil
      }
      return .init(
        value: "\(card.title)=\(DurationText.format(length))", description: StepText.length(card))
    }
  }

  private func allCards(_ line: PartialCommandLine) throws -> [Card] {
    guard let word = line.argument, word != "-" else { return [] }
    let lookup = SequenceLookup(library: SequenceLibrary(environment: context.environment))
    let path = try lookup.find(word).path
    // Reading a pipe would consume its contents.
    guard FileKind(of: path) == .file else { return [] }
    return try SequenceSource.read(path, as: path).definition.elements.flatMap(\.cards)
  }

  /// The labels of runs and of the library that aren't given yet.
  private func labels(_ line: PartialCommandLine) throws -> [String] {
    let library = try SequenceLibrary(environment: context.environment).map(ListedSequence.all) ?? []
    let known = try library.flatMap { $0.content?.labels ?? [] } + (reader(line)?.labels() ?? [])
    return Set(known).subtracting(line.values(LabelOption.added)).sorted()
  }

  private func names(ofRuns line: PartialCommandLine) throws -> [Completion.Candidate] {
    try activeRuns(line).map {
      .init(value: $0.name, description: translated("active: {}", $0.sequence.title))
    }
  }

  private func endedRuns(_ line: PartialCommandLine) throws -> [Completion.Candidate] {
    try reader(line)?.lastRuns(Completer.mostRuns).map {
      .init(value: $0.id, description: "\($0.outcome) \($0.endedAt): \($0.title)")
    } ?? []
  }

  private func deletion(_ runs: [Completion.Candidate]) -> [Completion.Candidate] {
    runs
      + (runs.isEmpty ? [] : [.init(value: HistoryCommand.delete, description: translated("delete a run"))])
  }

  private func activeRuns(_ line: PartialCommandLine) throws -> [ActiveRunSnapshot] {
    try reader(line)?.peek().runs ?? []
  }

  private func reader(_ line: PartialCommandLine) throws -> RunStore? {
    let given = line.values(CommandContext.stateDirectory).last.map { StateDirectory(path: $0) }
    guard let directory = given ?? StateDirectory(environment: context.environment) else { return nil }
    return try CompleteStore.inspect(directory, clock: context.clock)
  }
}

struct PartialCommandLine {
  private(set) var arguments: [String] = []
  var argument: String? { arguments.first }
  let isOnlyArguments: Bool
  private(set) var unfinished: (any OptionSpec)?
  private var options: [(spec: any OptionSpec, text: String)] = []

  /// Parses the words before the word at the cursor; invalid words are ignored.
  init(_ scanner: CommandLineScanner<any OptionSpec>) {
    var scanner = scanner
    while let part = scanner.next() {
      switch part {
      case .argument(let word): arguments.append(word)
      case .option(let option, let text): options.append((option, text))
      case .missingValue(let option): unfinished = option
      case .unknownOption, .unexpectedValue: break
      }
    }
    isOnlyArguments = scanner.isOnlyArguments
  }

  /// The argument of a command that the word at the cursor belongs to; `nil` if it takes no more.
  func next(of command: Command) -> (any ArgumentSpec)? {
    guard let first = command.argument, !arguments.isEmpty else { return command.argument }
    // An argument may have several words.
    if first.count(in: arguments + ["x"]) > arguments.count { return first }
    return first.count(in: arguments) == arguments.count ? command.second : nil
  }

  func has(_ option: any OptionSpec) -> Bool { options.contains { $0.spec.name == option.name } }

  func values<Value>(_ option: Option<Value>) -> [String] {
    options.filter { $0.spec.name == option.name }.map(\.text)
  }
}
