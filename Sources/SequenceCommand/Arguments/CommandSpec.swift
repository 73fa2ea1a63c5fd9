/// What the command line knows of a command: the one table that parsing, help and completion come from.
struct CommandSpec: Sendable {
  let name: CommandName
  /// One line that says what it does.
  let summary: String
  let arguments: [ArgumentSpec]
  let options: [OptionSpec]
  /// Whether a word that begins with a minus and a digit is an argument, as a duration below zero is.
  let takesNegativeNumbers: Bool
  private let makeDiscussion: @Sendable () -> [String]

  /// What else a user should know, as paragraphs.
  var discussion: [String] { makeDiscussion() }

  /// A command; its discussion is made only when somebody wants to read it.
  init(
    name: CommandName, summary: String, arguments: [ArgumentSpec], options: [OptionSpec],
    discussion: @autoclosure @escaping @Sendable () -> [String] = [], takesNegativeNumbers: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.options = options
    self.takesNegativeNumbers = takesNegativeNumbers
    makeDiscussion = discussion
  }

  /// An argument that has its meaning by its place.
  struct ArgumentSpec: Sendable {
    let name: String
    let isOptional: Bool
    /// What may stand for it, where its name does not say so.
    var completes: ValueKind?

    /// What may stand for it.
    var kind: ValueKind { completes ?? .named(name) }
  }
}

/// What the command line knows of an option.
struct OptionSpec: Sendable {
  /// The long name, without its two hyphens.
  let name: String
  /// What its value is called; `nil` if it takes none.
  let value: String?
  let summary: String
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// What its value may be, where what that is called does not say so.
  var completes: ValueKind?

  /// What its value may be; `nil` if it takes none.
  var kind: ValueKind? { value.map { completes ?? .named($0) } }
}
