/// Something that the recording server saw or did.
package struct ServerEvent: Codable, Equatable, Sendable {
  /// What it is.
  ///
  /// - `ready`: the server has the name;
  /// - `notify` and `close`: a call was answered;
  /// - `held`: a call waits for its answer;
  /// - `closed`: a notification is gone;
  /// - `action`: an action was invoked;
  /// - `screen`: the answer to `list`;
  /// - `error`: a command could not be carried out;
  /// - `told`: a command was carried out;
  /// - `inhibit` and `released`: an inhibitor was taken, or let go.
  package var event: String
  /// When, on the boot clock, in nanoseconds.
  package var at: Int64
  package var id: UInt32?
  package var replaces: UInt32?
  package var summary: String?
  package var body: String?
  package var app: String?
  package var icon: String?
  package var actions: [String]?
  /// The values as text, without their types.
  package var hints: [String: String]?
  package var timeout: Int32?
  /// The connection that called.
  package var sender: String?
  /// Whether what was to be closed was on screen.
  package var known: Bool?
  package var reason: UInt32?
  /// The action that was invoked.
  package var key: String?
  /// The method of a call that is held.
  package var method: String?
  /// The error that a call was refused with.
  package var error: String?
  /// What is wrong with a command.
  package var text: String?
  /// The numbers that are on screen.
  package var screen: [UInt32]?
  /// The summaries of what is on screen, in the same order.
  package var texts: [String]?

  package init(_ event: String, at: Int64) {
    self.event = event
    self.at = at
  }
}
