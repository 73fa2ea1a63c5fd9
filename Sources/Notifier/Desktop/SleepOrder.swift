package import Platform

/// What the agent asks of logind, and of what sends an unused desktop to sleep.
package enum SleepOrder: Hashable, Sendable {
  /// Take an inhibitor; logind is listened to from the first one on.
  case hold(InhibitorRequest)
  /// Give back what a service of the desktop was asked for.
  case letGo(IdleService)
  /// Find out who is there.
  case status
  /// Listen to logind no more.
  case leave
}

/// An inhibitor of ours, by who gives it.
package enum InhibitorRequest: Hashable, Sendable, CaseIterable {
  case login(LogindInhibitor)
  /// The machine does not take itself for unused, where the desktop does not heed logind in that.
  case desktop(IdleService)

  package static var allCases: [InhibitorRequest] {
    LogindInhibitor.allCases.map(InhibitorRequest.login) + IdleService.allCases.map(InhibitorRequest.desktop)
  }
}

/// What an inhibitor of logind holds up.
///
/// Source: "Inhibitor Locks", https://systemd.io/INHIBITOR_LOCKS.
package enum LogindInhibitor: Hashable, Sendable, CaseIterable {
  /// A sleep or a shutdown waits a few seconds, until what has to be stored before is stored.
  case going
  /// The machine does not take itself for unused; a user who sends it to sleep means it.
  case idleness

  /// What it is about.
  var what: String {
    switch self {
    case .going: "sleep:shutdown"
    case .idleness: "idle"
    }
  }

  /// How far it goes.
  var mode: String {
    switch self {
    case .going: "delay"
    case .idleness: "block"
    }
  }

  /// What `systemd-inhibit --list` says of it.
  var why: String {
    switch self {
    case .going: "The run is paused before"
    case .idleness: "A countdown runs"
    }
  }
}

/// What logind and the desktop answer, and what they tell by themselves.
package enum SleepEvent: Sendable {
  /// An inhibitor was taken.
  case held(InhibitorRequest, any SleepInhibitor)
  /// It could not be taken, for a reason in words; with what hears of others who could give it, if anything does.
  case refused(InhibitorRequest, reason: String, (any SleepInhibitor)?)
  /// What a look found: why logind cannot be used, in words, `nil` if it can; and the services that are there.
  case looked(failure: String?, services: [IdleService])
  /// The machine is about to sleep or to be switched off.
  case going(Departure)
  /// The machine is back, or did not go after all.
  case back
  /// There is another logind, or none any more.
  case otherLogind
  /// There is another service of the desktop, or the first one.
  case otherService(IdleService)
}

/// Why the machine stops running, as logind announces it.
package enum Departure: Sendable {
  case sleep, shutdown
}

/// What was taken: it holds for as long as this value is there, and ends with the process.
package protocol SleepInhibitor: AnyObject, Sendable {}

/// An inhibitor that logind gave.
package final class LoginInhibitor: SleepInhibitor {
  private let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}
