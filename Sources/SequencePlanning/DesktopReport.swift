package import SequencePlatform

/// The result of a desktop check by `sequence-agent`, for `sequence doctor`.
package struct DesktopReport: Codable, Equatable, Sendable {
  /// Why the session bus cannot be used; `nil` if it can.
  package var busFailure: LocalizedText?
  package var busAddress: String?
  package var server: Server?
  package var trial: TestNotification?
  package var login: Login?
  /// The services of the desktop, other than logind, that can inhibit sleep; `nil` if they were not checked.
  package var idleServices: [String]?
  /// The services of the desktop that can keep the screen on; `nil` if they were not checked.
  package var screenServices: [String]?
  /// Whether a panel shows icons; `nil` without a bus.
  package var hasPanel: Bool?

  package init() {}

  package struct Login: Codable, Equatable, Sendable {
    /// Why logind can't be used; `nil` if it can.
    package let failure: LocalizedText?
    /// Why a lock of the screen can't be noticed; `nil` if it can.
    package let lockFailure: LocalizedText?

    package init(failure: LocalizedText?, lockFailure: LocalizedText?) {
      self.failure = failure
      self.lockFailure = lockFailure
    }
  }

  package var canShow: Bool { server?.state == .available || server?.state == .startable }

  package struct Server: Codable, Equatable, Sendable {
    package let state: State
    package var name: String?
    package var vendor: String?
    package var version: String?
    /// The version of the specification that it follows.
    package var specification: String?
    package var capabilities: [String]?
    /// Whether do-not-disturb is on; `nil` if the server has no answer.
    package var doNotDisturb: Bool?
    /// The process that does not answer.
    package var process: UInt32?
    package var reason: LocalizedText?

    package init(_ state: State) {
      self.state = state
    }
  }

  package enum State: String, Codable, Sendable {
    case available
    /// None runs; the bus can start one.
    case startable
    /// None runs, and none can be started.
    case missing
    case silent
    case failing
  }
}

package struct TestNotification: Codable, Equatable, Sendable {
  /// The number that the server gave it; `nil` if it was not shown.
  package var number: UInt32?
  /// How long the server took to show it, in seconds.
  package var shownAfter: Double?
  /// How long the server took to close it, in seconds.
  package var closedAfter: Double?
  package var closedReason: LocalizedText?
  package var failure: LocalizedText?

  package init() {}
}
