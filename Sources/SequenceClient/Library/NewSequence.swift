import FoundationEssentials
import Glibc
package import SequenceFiles
import SequencePlatform
package import SequenceRunner

package enum NewSequence {
  /// Writes the starter of the name, else the general template; never overwrites a file, and returns the path of the new one.
  ///
  /// - Parameter word: a name in the library, or a path.
  package static func write(_ word: String, _ context: ClientContext) throws -> String {
    SequenceLookup.isName(word) ? try write(named: word, context) : try write(at: word)
  }

  /// Writes a sequence file to start from into the library; returns its path.
  @discardableResult
  package static func write(named name: String, _ context: ClientContext) throws -> String {
    try write(at: try place(name, in: try context.library()))
  }

  private static func write(at path: String) throws -> String {
    let name = name(ofFile: path)
    if let starter = Starter(named: name) {
      try write(try starter.document(), to: path)
    } else {
      let title = SequenceName.defect(of: name) == nil ? name : title
      try write(try StarterFile.text(title: title, id: UUID()), to: path)
    }
    return path
  }

  package static func text() throws -> String { try StarterFile.text(title: title, id: UUID()) }

  /// The title of a sequence whose file name can't be a title.
  private static let title = "My sequence"

  /// Finds the path of a new sequence of the library, and creates the library's directory.
  package static func place(_ word: String, in library: SequenceLibrary) throws -> String {
    if let defect = SequenceName.defect(of: word) { throw ClientError.unusableName(word, problem: defect) }
    let name = try SequenceName(word)
    if let entry = try library.entry(name) { throw ClientError.fileExists(entry.files[0], word: word) }
    guard !library.path.unicodeScalars.contains("\u{FFFD}") else {
      throw ClientError.unwritable(
        library.path, SystemError(call: "mkdir \(library.path)", code: EILSEQ),
        remedy: "set XDG_DATA_HOME to a directory whose path is UTF-8")
    }
    do throws(SystemError) {
      try makeDirectory(library.path)
    } catch {
      throw ClientError.unwritable(
        library.path, error, remedy: "set XDG_DATA_HOME to a directory that you can write to")
    }
    return library.newFile(name)
  }

  /// Writes a sequence into the library, with an id of its own; returns the path of the file.
  ///
  /// - Parameter word: the name of the file, which gets a number if it is taken; by default the title.
  package static func write(
    _ document: SequenceDocument, named word: String? = nil, _ context: ClientContext
  ) throws -> String {
    let library = try context.library()
    for name in names(for: word ?? document.value["title"]?.text ?? title) {
      do {
        let path = try place(name, in: library)
        try write(document, to: path)
        return path
      } catch ClientError.fileExists {
        continue
      }
    }
    throw ClientError.unusableName(title, problem: "all names are taken")
  }

  /// The names of files for a title, the first that isn't taken being the right one.
  ///
  /// - Complexity: O(1) for each name.
  static func names(for title: String) -> some Sequence<String> {
    let safe = title.unicodeScalars.map { $0 == "/" || !TextSafety.isSafe(String($0)) ? "-" : $0 }
    var base = String(String.UnicodeScalarView(safe))
    while let first = base.unicodeScalars.first, first.properties.isWhitespace || first == "." || first == "-"
    {
      base.unicodeScalars.removeFirst()
    }
    // Room for a number behind it.
    while base.utf8.count > 200 || base.last?.isWhitespace == true { base.removeLast() }
    let name = base.isEmpty ? NewSequence.title : base
    return (1...10_000).lazy.map { $0 == 1 ? name : "\(name) \($0)" }
      .filter { SequenceName.defect(of: $0) == nil }
  }

  private static func write(_ document: SequenceDocument, to path: String) throws {
    let own = try document.setting("id", to: .scalar(UUID().uuidString.lowercased()))
    try write(String(decoding: own.bytes, as: UTF8.self), to: path)
  }

  private static func write(_ text: String, to path: String) throws {
    // Swift replaces each byte that is not UTF-8, so it would be another file than the named one.
    guard !path.unicodeScalars.contains("\u{FFFD}") else {
      throw ClientError.unusableName(path, problem: "it is not UTF-8")
    }
    do throws(SystemError) {
      try AtomicFile.write(text, to: path, replacing: false)
    } catch {
      guard error.code == EEXIST else {
        throw ClientError.unwritable(path, error, remedy: AtomicFile.remedy(for: error, path))
      }
      throw ClientError.fileExists(path, word: path)
    }
  }

  private static func name(ofFile path: String) -> String {
    let file = pathParts(path).last ?? ""
    return SequenceLibrary.name(ofFile: file) ?? file
  }
}

/// A sequence to copy and change; its file is installed with the programs, in `share/sequence/starters`.
package enum Starter: String, CaseIterable {
  case tabata
  case pomodoro
  case morningRoutine = "morning-routine"
  case recipe

  /// The starter of a name such as `pomodoro`, `Pomodoro` or `morning routine`; `nil` if there is none.
  package init?(named name: String) {
    self.init(rawValue: name.lowercased().replacing(" ", with: "-"))
  }

  package var title: String {
    switch self {
    case .tabata: translated("Tabata")
    case .pomodoro: translated("Pomodoro")
    case .morningRoutine: translated("Morning routine")
    case .recipe: translated("Recipe")
    }
  }

  package var summary: String {
    switch self {
    case .tabata: translated("8 rounds of 20 s of work and 10 s of rest")
    case .pomodoro: translated("4 times 25 minutes of focus with breaks")
    case .morningRoutine: translated("Steps that wait for you")
    case .recipe: translated("Pasta, with a sauce that simmers")
    }
  }

  /// The color in its file.
  package var color: SequenceColor {
    switch self {
    case .tabata: .red
    case .pomodoro: .green
    case .morningRoutine: .yellow
    case .recipe: .orange
    }
  }

  package func document() throws -> SequenceDocument {
    let places = try sharedPaths(of: "sequence/starters/\(rawValue).yaml")
    guard let path = places.first(where: { FileKind(of: $0) == .file }) else {
      throw ClientError.missingStarter(rawValue, places: places)
    }
    return try Starter.localized(
      SequenceDocument(readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)), at: [])
  }

  /// Returns a document with the titles and the notes of a part in the user's language.
  private static func localized(
    _ document: SequenceDocument, at path: [YAMLNode.Step]
  ) throws -> SequenceDocument {
    guard let part = document.value.part(at: path) else { return document }
    var document = document
    for key in ["title", "note"] {
      guard let text = part[key]?.text else { continue }
      let own = translated(text)
      if own != text { document = try document.setting(key, to: .scalar(own), at: path) }
    }
    for index in (part["cards"]?.elements ?? []).indices {
      document = try localized(document, at: path + [.key("cards"), .index(index)])
    }
    return document
  }
}
