import SequencePlatform

/// The properties of an argument that parsing, help, completion and the manual read.
protocol ArgumentSpec: Sendable {
  var name: String { get }
  var isOptional: Bool { get }
  var kind: ValueKind { get }
  /// Whether a word that begins with a minus and a digit is the argument and not an option.
  var takesNegativeNumbers: Bool { get }
  /// Returns how many of some words are the argument, which are joined by spaces.
  func count(in words: [String]) -> Int
  /// Throws a `Failure` for an invalid text.
  func check(_ text: String) throws(Failure)
}

extension ArgumentSpec {
  /// The argument in a usage line, in brackets if it is optional.
  var usage: String { isOptional ? "[\(name)]" : name }
}

/// The argument of a command, declared once as a constant that also reads its value.
struct Argument<Value: Sendable>: ArgumentSpec {
  var name: String { makeName() }
  let isOptional: Bool
  let kind: ValueKind
  let takesNegativeNumbers: Bool
  let parse: @Sendable (String) throws(Failure) -> Value
  private let counted: @Sendable ([String]) -> Int
  /// Called for messages and help only: every command builds the table of all commands.
  private let makeName: @Sendable () -> String

  init(
    _ name: @autoclosure @escaping @Sendable () -> String, isOptional: Bool = false, kind: ValueKind = .text,
    takesNegativeNumbers: Bool = false, counted: @escaping @Sendable ([String]) -> Int = { _ in 1 },
    parse: @escaping @Sendable (String) throws(Failure) -> Value
  ) {
    makeName = name
    self.isOptional = isOptional
    self.kind = kind
    self.takesNegativeNumbers = takesNegativeNumbers
    self.counted = counted
    self.parse = parse
  }

  func count(in words: [String]) -> Int { counted(words) }

  func check(_ text: String) throws(Failure) { _ = try parse(text) }
}

extension Argument<String> {
  /// An argument that takes any text.
  init(_ name: String, isOptional: Bool = false, kind: ValueKind = .text) {
    self.init(name, isOptional: isOptional, kind: kind, parse: { $0 })
  }
}

extension Argument where Value: CaseIterable & RawRepresentable<String> {
  /// An argument that takes one of several words, which are its name.
  ///
  /// - Parameter noun: the word for a value in messages, such as "action".
  init(of noun: String, isOptional: Bool = false) {
    self.init(
      Value.allCases.map(\.rawValue).joined(separator: "|"), isOptional: isOptional,
      kind: .words(of: Value.self)
    ) { text throws(Failure) in
      guard let value = Value(rawValue: text) else {
        throw Failure(
          usage: "unknown \(noun) \(quote(text))", remedy: "use \(ValueKind.list(of: Value.self))")
      }
      return value
    }
  }
}
