/// What notifications say of the application that shows them.
public struct NotifyingApplication: Hashable, Sendable {
  /// The name that servers show.
  public let name: String
  /// The name of its desktop file, without the ending; servers find its settings by it.
  public let desktopEntry: String
  /// The name of an icon of the icon theme, or the path of one.
  public let icon: String

  /// An application with all its properties.
  public init(name: String, desktopEntry: String, icon: String) {
    self.name = name
    self.desktopEntry = desktopEntry
    self.icon = icon
  }
}
