/// What parsing, help, completion and the manual need of an argument.
protocol ArgumentSpec: Sendable {
  var name: String { get }
  var isOptional: Bool { get }
  var kind: ValueKind { get }
  /// Whether a word that begins with a minus and a digit is the argument and not an option.
  var takesNegativeNumbers: Bool { get }
  /// Refuses a text that is no value of the argument.
  func check(_ text: String) throws(UsageError)
}

extension ArgumentSpec {
  /// The argument as a line of usage has it.
  var usage: String { isOptional ? "[\(name)]" : name }
}

/// The argument of a command, which the command declares once as a constant and reads its value with.
struct Argument<Value: Sendable>: ArgumentSpec {
  let name: String
  let isOptional: Bool
  let kind: ValueKind
  let takesNegativeNumbers: Bool
  let parse: @Sendable (String) throws(UsageError) -> Value

  init(
    _ name: String, isOptional: Bool = false, kind: ValueKind = .text, takesNegativeNumbers: Bool = false,
    parse: @escaping @Sendable (String) throws(UsageError) -> Value
  ) {
    self.name = name
    self.isOptional = isOptional
    self.kind = kind
    self.takesNegativeNumbers = takesNegativeNumbers
    self.parse = parse
  }

  func check(_ text: String) throws(UsageError) { _ = try parse(text) }
}

extension Argument<String> {
  /// An argument that takes any text.
  init(_ name: String, isOptional: Bool = false, kind: ValueKind = .text) {
    self.init(name, isOptional: isOptional, kind: kind, parse: { $0 })
  }
}

extension Argument where Value: CaseIterable & RawRepresentable<String> {
  /// An argument that is one of some words, which are its name.
  init(isOptional: Bool = false) {
    self.init(
      Value.allCases.map(\.rawValue).joined(separator: "|"), isOptional: isOptional,
      kind: .words(of: Value.self), parse: ValueKind.choice)
  }
}
