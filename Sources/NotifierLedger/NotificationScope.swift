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
