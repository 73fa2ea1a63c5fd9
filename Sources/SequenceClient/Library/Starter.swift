import SequencePlatform
package import SequenceFiles
package import SequenceRunner

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
