import SequencePlatform

/// The identifier of a notification: components, the most general one first.
///
/// Related notifications share their first components, so they can be found and removed together.
public struct NotificationIdentifier: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
  /// The components, separated by dots; a dot within a component is `%2E`, a percent sign `%25`, and an empty
  /// component `%`.
  public let rawValue: String

  /// Creates an identifier from one or more components of any text.
  public init(_ first: String, _ others: String...) {
    rawValue = NotificationIdentifier.joined([first] + others)
  }

  /// The components as they were given, without escapes.
  public var components: [String] {
    NotificationIdentifier.parts(of: rawValue).map(NotificationIdentifier.component)
  }

  /// Returns the identifier with one more component, such as that of a snoozed copy.
  ///
  /// It is in the scope of this identifier.
  public func appending(_ component: String) -> NotificationIdentifier {
    NotificationIdentifier(checked: rawValue + "." + NotificationIdentifier.joined([component]))
  }

  /// The identifier of a text; `nil` if it is empty or has an empty component.
  public init?(rawValue: String) {
    guard !NotificationIdentifier.parts(of: rawValue).contains(where: \.isEmpty) else { return nil }
    self.init(checked: rawValue)
  }

  private init(checked rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier from components of any text; without any, it has one that is empty.
  public init(components: [String]) {
    self.init(checked: NotificationIdentifier.joined(components.isEmpty ? [""] : components))
  }

  /// The identifier itself.
  public var description: String { rawValue }

  static func joined(_ components: [String]) -> String {
    components.map(escaped).concatenated(by: ".")
  }

  // Scalar by scalar, as the store compares: with an accent on it "." is another character to Swift.

  private static func parts(of text: String) -> [String.UnicodeScalarView.SubSequence] {
    text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// A component without dots; an empty one is a lone percent sign, which is not in any other.
  private static func escaped(_ component: String) -> String {
    guard !component.isEmpty else { return "%" }
    guard component.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") }) else {
      return component
    }
    var escaped = String.UnicodeScalarView()
    for scalar in component.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25".unicodeScalars
      case ".": escaped += "%2E".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func component(escaped: String.UnicodeScalarView.SubSequence) -> String {
    guard !escaped.elementsEqual("%".unicodeScalars) else { return "" }
    var component = String.UnicodeScalarView()
    var rest = escaped
    while let scalar = rest.popFirst() {
      let code = String(String.UnicodeScalarView(rest.prefix(2)))
      switch (scalar, code) {
      case ("%", "25"): component.append("%")
      case ("%", "2E"): component.append(".")
      default:
        component.append(scalar)
        continue
      }
      rest = rest.dropFirst(2)
    }
    return String(component)
  }
}

extension NotificationIdentifier {
  private static let snooze = "snoozed"

  /// The identifier of the notification that a snoozed copy has this one of; itself for any other one.
  package var original: NotificationIdentifier {
    let parts = components.last?.split(separator: "-") ?? []
    guard parts.count == 3, parts[0] == NotificationIdentifier.snooze,
      parts.dropFirst().allSatisfy({ Int64($0) != nil })
    else { return self }
    return NotificationIdentifier(components: components.dropLast())
  }

  /// Returns the identifier of the snoozed copy of an entry with this one; that of a snoozed copy isn't a part of it.
  package func snoozed(_ entry: LedgerEntry.ID) -> NotificationIdentifier {
    let copy = "\(NotificationIdentifier.snooze)-\(entry.number)-\(entry.added.microseconds)"
    return NotificationIdentifier(components: original.components + [copy])
  }
}

/// A set of notifications that share the first components of their identifiers.
///
/// Whole components only: `a.reminder.1` is not in the scope of `a.reminder.10`, nor the other way round.
public struct NotificationScope: Hashable, Sendable {
  package let prefix: String

  /// The notifications whose identifiers are, or begin with, the components of another.
  public init(_ identifier: NotificationIdentifier) {
    prefix = identifier.rawValue
  }

  /// The notifications whose identifiers begin with some components, or all if there are none.
  ///
  /// Each argument is one component, as for ``NotificationIdentifier/init(_:_:)``: `NotificationScope("pill", "Aspirin")`
  /// has `pill.Aspirin`. In `NotificationScope("pill.Aspirin")` the dot is a part of the component.
  public init(_ components: String...) { self.init(components: components) }

  /// The notifications whose identifiers begin with some components, or all if there are none.
  public init(components: [String]) { prefix = NotificationIdentifier.joined(components) }

  package init(prefix: String) {
    self.prefix = prefix
  }

  /// All notifications.
  public static let everything = NotificationScope(prefix: "")

  /// Whether an identifier is in the scope.
  public func contains(_ identifier: NotificationIdentifier) -> Bool { covers(identifier.rawValue) }

  package func contains(_ other: NotificationScope) -> Bool { covers(other.prefix) }

  /// Whether a text is the prefix or continues it with a dot; by bytes, as the store compares.
  private func covers(_ text: String) -> Bool {
    prefix.isEmpty || text.utf8.elementsEqual(prefix.utf8) || text.utf8.starts(with: (prefix + ".").utf8)
  }

  /// The bounds of the identifiers below the prefix, in byte order: "/" follows "." in ASCII, and nothing in UTF-8
  /// follows U+10FFFF.
  package var bounds: (first: String, end: String) {
    prefix.isEmpty ? ("", "\u{10FFFF}") : (prefix + ".", prefix + "/")
  }
}
