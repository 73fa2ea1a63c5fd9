/// A text in English and in the user's language.
///
/// A literal is looked up in the catalogs when it is shown; its interpolations are the places `{1}`, `{2}`, … there.
/// Write `LocalizedText(verbatim:)` for a text that has no translation, such as a name.
public struct LocalizedText: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
  private enum Lookup: Codable {
    case none
    case text(String)
    case plural(one: String, many: String, count: Int)
  }

  /// The text in English, for logs and for programs.
  public let description: String
  private let lookup: Lookup
  private let parts: [LocalizedText]

  private init(_ english: String, _ lookup: Lookup, parts: [LocalizedText] = []) {
    (description, self.lookup, self.parts) = (english, lookup, parts)
  }

  /// Creates a text without places, which is looked up in the catalogs.
  public init(stringLiteral text: String) { self.init(text, .text(text)) }

  /// Creates a text with places.
  public init(stringInterpolation text: StringInterpolation) {
    self.init(text.english, .text(text.key), parts: text.parts)
  }

  /// Creates a text that is the same in all languages.
  public init(verbatim text: String) { self.init(text, .none) }

  /// Creates a text with a number, such as `1 card` or `3 cards`.
  ///
  /// - Parameters:
  ///   - one: the text for 1.
  ///   - many: the text for all other numbers; `{}` is the number.
  package static func plural(_ one: String, _ many: String, count: Int) -> LocalizedText {
    let english = count == 1 ? one : filled(many) { _ in String(count) }
    return LocalizedText(english, .plural(one: one, many: many, count: count))
  }

  /// A text of the C library, in English; it stays so if it has no translation.
  package init(lookingUp text: String) { self.init(text, .text(text)) }

  /// The text in the user's language.
  public var translation: String {
    switch lookup {
    case .none: description
    case .plural(let one, let many, let count): SequencePlatform.plural(one, many, count: count)
    case .text(let key) where parts.isEmpty: Language.lookUp(key)
    case .text(let key):
      filled(Language.lookUp(key)) { name in
        Int(name).flatMap { parts.indices.contains($0 - 1) ? parts[$0 - 1].translation : nil } ?? "{\(name)}"
      }
    }
  }

  /// The literals and the interpolated parts of a text.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var english = ""
    fileprivate var parts: [LocalizedText] = []

    /// Creates an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a literal to the text and its key.
    public mutating func appendLiteral(_ literal: String) {
      key += literal
      english += literal
    }

    /// Adds a part that has a translation of its own.
    public mutating func appendInterpolation(_ part: LocalizedText) {
      parts.append(part)
      key += "{\(parts.count)}"
      english += part.description
    }

    /// Adds the words of an error, in the user's language if it has a problem.
    public mutating func appendInterpolation(_ error: any Error) {
      let problem = (error as? any ExplainedError)?.problem
      appendInterpolation(problem?.line ?? LocalizedText(verbatim: "\(error)"))
    }

    /// Adds a text that is the same in all languages.
    public mutating func appendInterpolation(_ text: some StringProtocol) {
      appendInterpolation(LocalizedText(verbatim: String(text)))
    }

    /// Adds a number, in digits that are the same in all languages.
    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      appendInterpolation(LocalizedText(verbatim: String(number)))
    }
  }
}

extension LocalizedText: Codable {
  /// The information for a coder between two processes of Sequence, so that the other one can translate the texts.
  package static let translatable = CodingUserInfoKey(rawValue: "translatable").map { [$0: true] } ?? [:]

  private static func isTranslatable(_ information: [CodingUserInfoKey: Any]) -> Bool {
    translatable.keys.contains { information[$0] != nil }
  }

  private enum CodingKeys: CodingKey { case description, lookup, parts }

  /// Decodes a text as it was encoded.
  public init(from decoder: any Decoder) throws {
    guard LocalizedText.isTranslatable(decoder.userInfo) else {
      self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .description),
      try container.decode(Lookup.self, forKey: .lookup),
      parts: try container.decode([LocalizedText].self, forKey: .parts))
  }

  /// Encodes the text in English.
  public func encode(to encoder: any Encoder) throws {
    guard LocalizedText.isTranslatable(encoder.userInfo) else {
      var container = encoder.singleValueContainer()
      return try container.encode(description)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(description, forKey: .description)
    try container.encode(lookup, forKey: .lookup)
    try container.encode(parts, forKey: .parts)
  }
}

extension LocalizedText: Hashable {
  /// Compares the texts in English.
  public static func == (left: LocalizedText, right: LocalizedText) -> Bool {
    left.description == right.description
  }

  /// Hashes the text in English.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
