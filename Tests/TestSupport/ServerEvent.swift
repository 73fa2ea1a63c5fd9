package struct ServerEvent: Codable, Equatable, Sendable {
  /// The kind of event.
  ///
  /// - `ready`: the server has the name;
  /// - `notify` and `close`: a call was answered;
  /// - `held`: a call waits for its reply;
  /// - `closed`: a notification was closed;
  /// - `action`: an action was invoked;
  /// - `screen`: the reply to `list`;
  /// - `error`: a command failed;
  /// - `told`: a command was executed;
  /// - `inhibit` and `released`: an inhibitor was taken or released;
  /// - `registered`: an icon came to the panel, with its name in `text`.
  package var event: String
  /// The time on the boot clock, in nanoseconds.
  package var at: Int64
  package var id: UInt32?
  package var replaces: UInt32?
  package var summary: String?
  package var body: String?
  package var app: String?
  package var icon: String?
  package var actions: [String]?
  /// The hints as text, without their types.
  package var hints: [String: String]?
  package var timeout: Int32?
  package var sender: String?
  /// Whether the notification to close was visible.
  package var known: Bool?
  package var reason: UInt32?
  package var key: String?
  /// The method of a held call.
  package var method: String?
  package var error: String?
  /// The problem of a command.
  package var text: String?
  package var screen: [UInt32]?
  /// The summaries of the visible notifications, in the same order.
  package var texts: [String]?

  package init(_ event: String, at: Int64) {
    self.event = event
    self.at = at
  }
}
