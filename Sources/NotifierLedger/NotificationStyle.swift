/// The look and the sound of a notification, as far as the server supports them.
///
/// Source: Desktop Notifications Specification 1.2, "Categories", "Urgency Levels" and "Hints".
public struct NotificationStyle: Hashable, Sendable {
  /// How much it matters.
  public var urgency: Urgency
  /// What class it belongs to, as in `x-vendor.class`; `nil` for none.
  public var category: String?
  /// The name of a sound in the sound theme, such as `complete`, or the path of a sound file; `nil` for none.
  public var sound: String?
  /// The name of an icon in the icon theme, or the path of one; empty for none, `nil` for the application's own.
  public var icon: String?
  /// The path of a picture, or the name of one in the icon theme; `nil` for none.
  public var image: String?
  /// A progress from 0 to 1, for servers that draw a bar; `nil` for none.
  public var progress: Double?
  /// When the server may take it from the screen.
  public var expiry: Expiry = .byServer
  /// Whether the server doesn't keep it in its history.
  public var isTransient = false
  /// Whether it stays on the screen when one of its buttons is pressed.
  public var isResident = false
  /// Other hints for the server, by name; they take precedence over the properties above.
  public var hints: [String: HintValue] = [:]

  /// How much a notification matters.
  public enum Urgency: String, Hashable, Sendable, CaseIterable, Codable {
    /// Servers may show it for a shorter time, or less prominently.
    case low
    /// As most are.
    case normal
    /// Servers show it until the user closes it, even during Do Not Disturb.
    case critical
  }

  /// When a notification leaves the screen by itself.
  public enum Expiry: Hashable, Sendable, Codable {
    /// When the server decides.
    case byServer
    /// Not before the user closes it.
    case never
    /// After a time; GNOME Shell ignores it.
    case after(Duration)
  }

  /// The value of a hint, with its type on D-Bus.
  @nonexhaustive
  public enum HintValue: Hashable, Sendable, Codable {
    /// A text.
    case string(String)
    /// A signed number of 32 bits.
    case int(Int32)
    /// A truth value.
    case bool(Bool)
    /// A floating-point number.
    case double(Double)
    /// A number of 8 bits.
    case byte(UInt8)
  }

  /// A style with the properties that most notifications need; the others can be set.
  public init(
    urgency: Urgency = .normal, category: String? = nil, sound: String? = nil, icon: String? = nil,
    image: String? = nil, progress: Double? = nil
  ) {
    self.urgency = urgency
    self.category = category
    self.sound = sound
    self.icon = icon
    self.image = image
    self.progress = progress
  }
}

extension NotificationStyle: Codable {
  /// Reads a style; missing properties are those of a new one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    urgency = try container.decodeIfPresent(Urgency.self, forKey: .urgency) ?? .normal
    category = try container.decodeIfPresent(String.self, forKey: .category)
    sound = try container.decodeIfPresent(String.self, forKey: .sound)
    icon = try container.decodeIfPresent(String.self, forKey: .icon)
    image = try container.decodeIfPresent(String.self, forKey: .image)
    progress = try container.decodeIfPresent(Double.self, forKey: .progress)
    expiry = try container.decodeIfPresent(Expiry.self, forKey: .expiry) ?? .byServer
    isTransient = try container.decodeIfPresent(Bool.self, forKey: .isTransient) ?? false
    isResident = try container.decodeIfPresent(Bool.self, forKey: .isResident) ?? false
    hints = try container.decodeIfPresent([String: HintValue].self, forKey: .hints) ?? [:]
  }
}
