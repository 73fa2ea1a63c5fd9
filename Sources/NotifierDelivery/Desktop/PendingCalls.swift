/// The D-Bus calls to the notification server whose answers matter, however late they come.
///
/// One call is waited for at a time. A call that timed out stays known by its serial number, so that a late answer is
/// matched with it.
package struct PendingCalls {
  /// The call that is about to be made, or was made and is waited for.
  private var current: Call?
  private var serial: UInt32?
  /// The refusal of the current call, until it is known whether it was waited for.
  private var refusal: DesktopFailure?
  private var late: [UInt32: Call] = [:]

  package init() {}

  package enum Call: Equatable, Sendable {
    case show(entry: Int64)
    case question

    var member: String {
      switch self {
      case .show: "Notify"
      case .question: "GetServerInformation"
      }
    }
  }

  package var lateCount: Int { late.count }

  package var isSent: Bool { serial != nil }

  package mutating func begin(_ call: Call) {
    (current, serial, refusal) = (call, nil, nil)
  }

  /// Records the serial number of a call of a D-Bus member, if it is the current call.
  package mutating func sent(_ member: String, serial: UInt32) {
    if self.serial == nil, current?.member == member { self.serial = serial }
  }

  /// Ends the wait for the current call.
  ///
  /// - Returns: the call and its refusal, if that arrived at this moment unseen.
  package mutating func end(isAnswered: Bool) -> (Call, DesktopFailure)? {
    defer { (current, serial, refusal) = (nil, nil, nil) }
    guard !isAnswered, let current, let serial else { return nil }
    if let refusal { return (current, refusal) }
    // A server that hung answers its calls in order: the first late question is enough to notice.
    guard current != .question || !late.values.contains(.question) else { return nil }
    late[serial] = current
    return nil
  }

  package mutating func answered(_ serial: UInt32) -> (call: Call, isLate: Bool)? {
    if let call = late.removeValue(forKey: serial) { return (call, true) }
    guard self.serial == serial, let current else { return nil }
    return (current, false)
  }

  /// Returns the call if its wait has ended.
  package mutating func refused(_ serial: UInt32, _ failure: DesktopFailure) -> Call? {
    if let call = late.removeValue(forKey: serial) { return call }
    if self.serial == serial { refusal = failure }
    return nil
  }
}
