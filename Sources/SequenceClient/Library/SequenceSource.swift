package import SequenceConfiguration
package import SequenceFiles
package import SequencePlatform
package import SequenceRunner
package import SequenceStore

/// A sequence to start: from a file, from the library, or from single cards, with the choices of the user.
package struct SequenceSource {
  package let timeline: Timeline
  package let source: RunSource
  package let remarks: [SequenceFile.Remark]
  package let name: String
  package let path: String?

  package var soundProblems: [Problem] { remarks.filter(\.isOfSound).map { $0.problem(inFile: name) } }

  /// - Parameters:
  ///   - word: a path, the name of a sequence in the library, or `-` for standard input.
  ///   - rounds: the rounds of the one group of the sequence, or of all its cards if it has no group; `nil` for those
  ///     of the file.
  ///   - without: titles and ids of the cards to leave out.
  ///   - lengths: titles of cards, and their lengths in this run.
  package init(
    _ word: String, rounds: Rounds? = nil, without: [String] = [],
    lengths: [(title: String, length: Duration)] = [], _ context: ClientContext
  ) throws {
    let path = word == "-" ? nil : try context.sequencePath(word)
    try self.init(path: path, rounds: rounds, without: without, lengths: lengths)
  }

  /// Reads a file of the library without blocking, for a face whose working directory the user doesn't see.
  ///
  /// - Parameter word: its name, or a path.
  package init(inLibrary word: String, _ context: ClientContext) throws {
    let path = try SequenceLookup(library: try context.library()) { _ in .nothing }.find(word).path
    try SequenceSource.requireRegular(path)
    try self.init(path: path, rounds: nil, without: [], lengths: [])
  }

  /// - Parameter path: the path of the file; `nil` for standard input.
  private init(
    path: String?, rounds: Rounds?, without: [String], lengths: [(title: String, length: Duration)]
  ) throws {
    self.path = path
    name = path ?? "standard input"
    let parsed = try SequenceSource.read(path ?? "-", as: name)
    timeline = try SequenceSource.chosen(parsed.timeline, rounds: rounds, without: without, lengths: lengths)
    source = .file
    remarks = parsed.remarks
  }

  /// Reads the file of a schedule as it is now.
  package init(path: String, _ choices: ScheduleChoices) throws {
    let rounds = choices.rounds.map { $0 == Rounds.foreverText ? Rounds.forever : .times(Int($0) ?? 1) }
    try self.init(
      path: path, rounds: rounds, without: choices.without,
      lengths: choices.lengths.map { ($0.title, .nanoseconds($0.nanoseconds)) })
  }

  /// Returns the time that all steps are planned to take, with the usual lengths of those that wait for the user; `nil`
  /// for endless rounds.
  package func planned(in store: RunStore) throws(StoreError) -> Duration? {
    guard let count = timeline.count else { return nil }
    return try store.withUsualLengths(timeline, source: source).planned(of: 0..<count)
  }

  /// Creates a sequence of cards such as `Work 20s`.
  package init(cards: [String], rounds: Rounds = 1, title: String? = nil) throws(Problem) {
    timeline = try CardSpec.sequence(cards: cards, rounds: rounds, title: title)
    source = .cards
    remarks = []
    name = "--card"
    path = nil
  }

  /// - Parameter name: the name of the file in messages.
  package static func read(_ path: String, as name: String) throws(ClientError) -> SequenceFile {
    do throws(SequenceFileError) {
      return try SequenceFile.read(path: path)
    } catch {
      if !error.isUnreadable, let format = WorkoutFormat(ofFileNamed: path) {
        throw .importable(name: name, path: path, format: format.titleWithArticle)
      }
      throw .file(error, name: name)
    }
  }

  /// Refuses a pipe, a socket or a device, for a face that must not block.
  package static func requireRegular(_ path: String) throws(ClientError) {
    do throws(SequenceFileError) { try SequenceFile.requireRegular(path) } catch {
      throw .file(error, name: path)
    }
  }

  private static func chosen(
    _ timeline: Timeline, rounds: Rounds?, without: [String], lengths: [(title: String, length: Duration)]
  ) throws -> Timeline {
    guard rounds != nil || !without.isEmpty || !lengths.isEmpty else { return timeline }
    // A card with one length for all rounds suits any number of them.
    let (definition, estimates) = try timeline.definition.setting(lengths)
    do {
      // The rounds come first: whether they are ambiguous doesn't depend on the cards that are left out.
      let repeated = try rounds.map { try definition.with(rounds: $0) } ?? definition
      return try Timeline(
        without.isEmpty ? repeated : repeated.without(without), estimates: estimates)
    } catch TimelineError.noSteps {
      // `without` refuses to leave no card; those that are left are skipped in the only round.
      throw ClientError.noStepsInOneRound(sequence: definition.title)
    }
  }
}

package struct SequenceLookup {
  /// The library; `nil` if the environment has no place for one.
  package let library: SequenceLibrary?
  let kind: (String) -> FileKind

  package init(library: SequenceLibrary?, kind: @escaping (String) -> FileKind = FileKind.init(of:)) {
    self.library = library
    self.kind = kind
  }

  package struct Match: Equatable {
    package let path: String
    /// The file of the library that has the same name and was not meant.
    package var hidden: String?
  }

  /// A word with a slash, or with the extension of a sequence file, is a path.
  ///
  /// So is the name of a file in the working directory, but not of a directory. Any other word is a name in the
  /// library.
  package func find(_ word: String) throws -> Match {
    guard SequenceLookup.isName(word) else { return Match(path: word) }
    let inLibrary = try entry(word).map(SequenceLookup.file)
    switch kind(word) {
    case .file, .special: return Match(path: word, hidden: inLibrary)
    case .directory, .nothing: break
    }
    guard let inLibrary else { throw try unknown(word) }
    return Match(path: inLibrary)
  }

  /// Whether a word is a name in the library, unless a file has this name.
  package static func isName(_ word: String) -> Bool {
    word != "-" && !word.unicodeScalars.contains("/") && SequenceLibrary.name(ofFile: word) == nil
  }

  static func file(of entry: SequenceLibrary.Entry) throws(ClientError) -> String {
    guard entry.files.count == 1 else { throw .ambiguousSequence(entry.name, files: entry.files) }
    return entry.files[0]
  }

  static func requireName(_ entry: SequenceLibrary.Entry) throws(ClientError) {
    guard entry.isText else { throw .unusableFileName(entry.files[0], problem: "it is not UTF-8") }
    if let defect = SequenceName.defect(of: entry.name) {
      throw .unusableFileName(entry.files[0], problem: defect)
    }
  }

  private func entry(_ word: String) throws -> SequenceLibrary.Entry? {
    // The library has only usable names.
    guard SequenceName.defect(of: word) == nil else { return nil }
    return try library?.entry(SequenceName(word))
  }

  private func unknown(_ word: String) throws -> ClientError {
    let entries = try library?.entries() ?? []
    // A file with this name may exist that no word can name.
    if let same = entries.first(where: { $0.name == word }) { try SequenceLookup.requireName(same) }
    let names = entries.filter(\.isText).map(\.name).filter { SequenceName.defect(of: $0) == nil }
    return .unknownSequence(word, near: NearNames.of(word, among: names))
  }
}
