package import SequenceRunner

/// What the agent asks of logind.
package enum SleepOrder: Hashable, Sendable {
  /// Take an inhibitor; logind is listened to from the first one on.
  case hold(SleepHold)
  /// Find out whether logind is there.
  case look
  /// Listen no more.
  case leave
}

/// What an inhibitor of ours holds up.
///
/// Source: "Inhibitor Locks", https://systemd.io/INHIBITOR_LOCKS.
package enum SleepHold: String, Hashable, Sendable, CaseIterable {
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

/// What logind answers, and what it tells by itself.
package enum SleepEvent: Sendable {
  /// An inhibitor was taken.
  case held(SleepHold, SleepInhibitor)
  /// It could not be taken, for a reason in words.
  case refused(SleepHold, reason: String)
  /// What a look found: why logind cannot be used, in words; `nil` if it can.
  case looked(failure: String?)
  /// The machine is about to sleep or to be switched off.
  case going(Absence.Cause)
  /// The machine is back, or did not go after all.
  case back
  /// There is another logind, or none any more.
  case otherLogind
}

/// An inhibitor that logind gave: it holds for as long as this value is there, and ends with the process.
package final class SleepInhibitor: Sendable {
  private let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}
