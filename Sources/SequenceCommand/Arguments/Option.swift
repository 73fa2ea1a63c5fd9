import SequencePlatform

/// The properties of an option that parsing, help, completion and the manual read.
protocol OptionSpec: Sendable {
  /// The long name, without its two hyphens.
  var name: String { get }
  /// The letter of the short form; `nil` if there is none.
  var short: String? { get }
  /// The name of its value in the help; `nil` if it takes none.
  var value: String? { get }
  var summary: String { get }
  /// Whether it may be given more than once.
  var isRepeatable: Bool { get }
  /// The kind of its value; `nil` if it takes none.
  var kind: ValueKind? { get }
  /// Throws a `Failure` for an invalid value.
  func check(_ text: String) throws(Failure)
}

extension OptionSpec {
  var short: String? { nil }

  /// Whether a word is the long or the short form.
  func isWritten(_ word: String) -> Bool { word == "--" + name || short.map { word == "-" + $0 } == true }

  /// The forms of the option with the name of its value, such as `--help, -h` or `--rounds N`.
  var usage: String {
    "--\(name)" + (short.map { ", -\($0)" } ?? "") + (value.map { " \($0)" } ?? "")
  }
}

/// An option without a value.
struct Flag: OptionSpec {
  let name: String
  let short: String?
  let summary: String
  var value: String? { nil }
  var kind: ValueKind? { nil }
  var isRepeatable: Bool { false }

  init(_ name: String, short: String? = nil, _ summary: String) {
    self.name = name
    self.short = short
    self.summary = summary
  }

  func check(_: String) {}
}

extension Flag {
  static let json = Flag("json", "print JSON")
  static let help = Flag("help", short: "h", "show this help")
}

/// An option with a value, declared once as a constant that also reads the value.
struct Option<Value: Sendable>: OptionSpec {
  let name: String
  let value: String?
  let summary: String
  let isRepeatable: Bool
  let kind: ValueKind?
  let parse: @Sendable (String) throws(Failure) -> Value

  init(
    _ name: String, _ value: String, _ summary: String, isRepeatable: Bool = false, kind: ValueKind = .text,
    parse: @escaping @Sendable (String) throws(Failure) -> Value
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.isRepeatable = isRepeatable
    self.kind = kind
    self.parse = parse
  }

  func check(_ text: String) throws(Failure) { _ = try parse(text) }
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
  /// An option that takes one of several words.
  init(_ name: String, _ value: String, _ summary: String) {
    self.init(name, value, summary, kind: .words(of: Value.self)) { text throws(Failure) in
      guard let choice = Value(rawValue: text) else {
        throw Failure(
          usage: "--\(name) cannot be \(quote(text))", remedy: "use \(ValueKind.list(of: Value.self))")
      }
      return choice
    }
  }
}
