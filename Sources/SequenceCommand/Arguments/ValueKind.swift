import SequencePlatform

/// The values that an argument or an option accepts, for completion by a shell.
enum ValueKind: Equatable, Sendable {
  /// Any text.
  case text
  /// One of several words.
  case choice([String])
  case file
  case directory
  /// A sequence file, or the name of a sequence of the library.
  case sequence
  /// The name of a command.
  case command
  /// A card of the sequence that the command line names.
  case card
  /// The name of an active run.
  case activeRun
  /// An active run, or one that has ended.
  case run
  /// A run that has ended.
  case endedRun
  /// A card of an active run, by its id.
  case activeCard
  /// The sequence of an active run, by its id.
  case activeSequence

  /// The raw values of an enum.
  static func words<Value: CaseIterable & RawRepresentable<String>>(of _: Value.Type) -> ValueKind {
    .choice(Value.allCases.map(\.rawValue))
  }

  /// The raw values of an enum as text, such as `day, week or sequence`.
  static func list<Value: CaseIterable & RawRepresentable<String>>(of _: Value.Type) -> String {
    alternatives(Value.allCases.map(\.rawValue))
  }
}
