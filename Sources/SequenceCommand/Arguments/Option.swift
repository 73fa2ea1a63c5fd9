/// What parsing, help, completion and the manual need of an option.
protocol OptionSpec: Sendable {
  /// The long name, without its two hyphens.
  var name: String { get }
  /// The name of its value in the help; `nil` if it takes none.
  var value: String? { get }
  var summary: String { get }
  /// Whether it may be given more than once.
  var isRepeatable: Bool { get }
  /// What its value may be; `nil` if it takes none.
  var kind: ValueKind? { get }
  /// Refuses a text that is no value of the option.
  func check(_ text: String) throws(UsageError)
}

/// An option without a value.
struct Flag: OptionSpec {
  let name: String
  let summary: String
  var value: String? { nil }
  var kind: ValueKind? { nil }
  var isRepeatable: Bool { false }

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  func check(_: String) {}
}

extension Flag {
  static let json = Flag("json", "print JSON")
  static let help = Flag("help", "explain the command")
}

/// An option with a value, which a command declares once as a constant and reads its value with.
struct Option<Value: Sendable>: OptionSpec {
  let name: String
  let value: String?
  let summary: String
  let isRepeatable: Bool
  let kind: ValueKind?
  let parse: @Sendable (String) throws(UsageError) -> Value

  init(
    _ name: String, _ value: String, _ summary: String, isRepeatable: Bool = false, kind: ValueKind = .text,
    parse: @escaping @Sendable (String) throws(UsageError) -> Value
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.isRepeatable = isRepeatable
    self.kind = kind
    self.parse = parse
  }

  func check(_ text: String) throws(UsageError) { _ = try parse(text) }
}

extension Option<String> {
  /// An option that takes any text.
  init(
    _ name: String, _ value: String, _ summary: String, isRepeatable: Bool = false, kind: ValueKind = .text
  ) {
    self.init(name, value, summary, isRepeatable: isRepeatable, kind: kind, parse: { $0 })
  }
}

extension Option where Value: CaseIterable & RawRepresentable<String> {
  /// An option that takes one of some words.
  init(_ name: String, _ value: String, _ summary: String) {
    self.init(name, value, summary, kind: .words(of: Value.self), parse: ValueKind.choice)
  }
}
