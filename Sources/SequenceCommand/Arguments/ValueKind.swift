/// What may stand for an argument, or for the value of an option: what a shell offers there.
enum ValueKind: Equatable, Sendable {
  /// Any text.
  case text
  /// One of some words.
  case choice([String])
  case file
  case directory
  /// A sequence file, or the name of a sequence of the library.
  case sequence
  /// The name of a command.
  case command
  /// What only a look at the files or at the run can tell.
  case candidates(CandidateKind)

  /// What is known of a value by what it is called in the help: `FILE`, `DIR`, or the words that it may be with bars
  /// between them.
  static func named(_ name: String) -> ValueKind {
    switch name {
    case "FILE": return .file
    case "DIR": return .directory
    default:
      let words = name.split(separator: "|").map(String.init)
      let areChoices = words.count > 1 && words.allSatisfy { $0 == $0.lowercased() }
      return areChoices ? .choice(words) : .text
    }
  }

  /// The words that it may be; empty for any.
  var choices: [String] {
    switch self {
    case .choice(let words): words
    case .text, .file, .directory, .sequence, .command, .candidates: []
    }
  }
}
