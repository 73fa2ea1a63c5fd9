import Platform

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
  /// A card of the sequence that the command line names.
  case card
  /// The active run, or one that is over.
  case run
  /// A run that is over.
  case endedRun
  /// A card of the active run, by its id.
  case activeCard
  /// The sequence of the active run, by its id.
  case activeSequence

  /// One of the words that stand for the cases of a type.
  static func words<Value: CaseIterable & RawRepresentable<String>>(of _: Value.Type) -> ValueKind {
    .choice(Value.allCases.map(\.rawValue))
  }

  /// The case of a type that a word stands for.
  static func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ word: String
  ) throws(UsageError) -> Value {
    guard let value = Value(rawValue: word) else {
      let words = Value.allCases.map(\.rawValue)
      let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
      throw UsageError("\(quote(word)) is unknown", remedy: "write \(list)")
    }
    return value
  }
}
