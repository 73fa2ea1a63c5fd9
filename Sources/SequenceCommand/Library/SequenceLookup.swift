import Platform
import SequenceFiles
import SequenceRunner

/// Finds the file that a word of the command line means: one at that path, or a sequence of the library.
struct SequenceLookup {
  /// `nil` if the environment has no place for one.
  let library: SequenceLibrary?
  /// What is at a path.
  var kind: (String) -> FileKind = FileKind.init(of:)

  /// What a word means.
  struct Finding: Equatable {
    let path: String
    /// The file of the library that has the same name and was not meant.
    var hidden: String?
  }

  /// The file that a word means.
  ///
  /// What has a slash in it or ends like a sequence file is a path, and so is the name of a file in the working
  /// directory, which a user sees there; a directory is none. All else is a name in the library.
  ///
  /// - Throws: `Failure` if there is nothing of that name.
  func find(_ word: String) throws -> Finding {
    guard SequenceLookup.isName(word) else { return Finding(path: word) }
    let inLibrary = try entry(word).map(SequenceLookup.file)
    switch kind(word) {
    case .file, .special: return Finding(path: word, hidden: inLibrary)
    case .directory, .nothing: break
    }
    guard let inLibrary else { throw try unknown(word) }
    return Finding(path: inLibrary)
  }

  /// Whether a word can only be a name, as long as no file is called so.
  static func isName(_ word: String) -> Bool {
    word != "-" && !word.contains("/") && SequenceLibrary.name(ofFile: word) == nil
  }

  /// The one file of an entry.
  static func file(of entry: SequenceLibrary.Entry) throws(Failure) -> String {
    guard entry.files.count == 1 else {
      throw Failure(
        "\(quote(entry.name)) is the name of \(entry.files.joined(separator: " and of "))",
        remedy: "rename one of them",
        .data)
    }
    return entry.files[0]
  }

  /// Refuses an entry whose file is called so that no word means it.
  static func requireName(_ entry: SequenceLibrary.Entry) throws(Failure) {
    guard entry.isText else {
      throw Failure(
        "no sequence can be called so: it is not UTF-8", remedy: "rename \(entry.files[0])", .data)
    }
    do throws(SequenceNameError) {
      _ = try SequenceName(entry.name)
    } catch {
      throw Failure(
        "no sequence can be called so: \(error.problem)", remedy: "rename \(entry.files[0])", .data)
    }
  }

  private func entry(_ word: String) throws -> SequenceLibrary.Entry? {
    let name: SequenceName
    do throws(SequenceNameError) {
      name = try SequenceName(word)
    } catch {
      // What is no name is none in the library.
      return nil
    }
    return try library?.entry(name)
  }

  private func unknown(_ word: String) throws -> Failure {
    let entries = try library?.entries() ?? []
    // It is there, and no word can ask for it.
    if let same = entries.first(where: { $0.name == word }) { try SequenceLookup.requireName(same) }
    let names = entries.filter(\.isText).map(\.name).filter { (try? SequenceName($0)) != nil }
    let near = NearNames.of(word, among: names).map(quote)
    let hint =
      near.isEmpty
      ? "see sequence list, and sequence new to begin one" : "did you mean \(near.joined(separator: " or "))?"
    return Failure(
      "there is no file \(quote(word)) here, and no sequence of that name in the library", remedy: hint,
      .inputOutput)
  }
}

extension CommandContext {
  /// The library of sequences.
  ///
  /// - Throws: `Failure` if the environment has no place for it.
  func library() throws(Failure) -> SequenceLibrary {
    guard let library = SequenceLibrary(environment: environment) else {
      throw Failure(
        "neither XDG_DATA_HOME nor HOME is set, so there is no place for sequences", remedy: "set HOME",
        .usage)
    }
    return library
  }

  /// The path of the sequence file that a word means; what could surprise is said.
  func sequencePath(_ word: String) throws -> String {
    let finding = try SequenceLookup(library: SequenceLibrary(environment: environment)).find(word)
    if let hidden = finding.hidden {
      say(
        Failure(
          "\(quote(word)) is a file in this directory, which is taken, and a name in the library",
          remedy: "for that one write \(hidden)", .done))
    }
    return finding.path
  }
}
