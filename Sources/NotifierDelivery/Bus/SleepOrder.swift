package import SequencePlatform

/// An order to logind, or to the service that suspends an idle desktop.
package enum SleepOrder: Hashable, Sendable {
  /// Take an inhibitor; logind is listened to from the first one on.
  case inhibit(InhibitorRequest)
  case watchLock
  case release(IdleService)
  case status
  /// Listen to logind no more.
  case disconnect
}

package enum InhibitorRequest: Hashable, Sendable, CaseIterable {
  case login(LogindInhibitor)
  /// The desktop does not suspend an idle machine, for desktops that ignore logind's inhibitors.
  case desktop(IdleService)

  package static var allCases: [InhibitorRequest] {
    LogindInhibitor.allCases.map(InhibitorRequest.login) + IdleService.allCases.map(InhibitorRequest.desktop)
  }
}

/// A type of logind's inhibitors.
///
/// Source: "Inhibitor Locks", https://systemd.io/INHIBITOR_LOCKS.
package enum LogindInhibitor: Hashable, Sendable, CaseIterable {
  /// A suspend or a shutdown is delayed by a few seconds.
  case delay
  /// The machine does not take itself for unused; a user who sends it to sleep means it.
  case idleness

  var what: String {
    switch self {
    case .delay: "sleep:shutdown"
    case .idleness: "idle"
    }
  }

  var mode: String {
    switch self {
    case .delay: "delay"
    case .idleness: "block"
    }
  }
}

package struct InhibitorText: Sendable {
  let who: String
  let why: @Sendable (InhibitorRequest) -> String

  package init(_ who: String, why: @escaping @Sendable (InhibitorRequest) -> String) {
    (self.who, self.why) = (who, why)
  }
}

package enum SleepEvent: Sendable {
  case held(InhibitorRequest, any SleepInhibitor)
  /// It was refused, for a reason in words; with whether the signals of logind are received all the same, and an object that
  /// notices other services, if there is one.
  case refused(InhibitorRequest, reason: String, isNotified: Bool = false, (any SleepInhibitor)?)
  /// The reasons why logind cannot be used, and why a lock of the screen cannot be noticed, `nil` if it can; and the
  /// running services of the desktop.
  case examined(failure: LocalizedText?, lockFailure: LocalizedText?, services: [IdleService])
  case suspending(SuspendKind)
  /// The machine is back, or did not go after all.
  case back
  /// Whether the screen is locked: as a change or, if it is not one, as the first answer. With a reason in words if that
  /// can't be found out.
  case locked(Bool, isChange: Bool, failure: String?)
  /// Another session of the user may be the one on the screen, or there is another screen saver.
  case otherSession
  case otherLogind
  case otherService(IdleService)
}

package enum SuspendKind: Sendable {
  case sleep, shutdown
}

/// An inhibitor that was taken; it holds until it is released or the process ends.
package protocol SleepInhibitor: AnyObject, Sendable {}

package final class LoginInhibitor: SleepInhibitor {
  private let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

package struct SleepConnection: Sendable {
  package let events: MessageQueue<SleepEvent>
  /// Asks something, and returns at once.
  package let send: @Sendable (SleepOrder) -> Void
  /// Ends the connection after its orders.
  package let end: @Sendable () -> Void

  package init(
    events: MessageQueue<SleepEvent>, send: @escaping @Sendable (SleepOrder) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.events = events
    self.send = send
    self.end = end
  }
}
