package import SequencePlatform
import SequenceStore

extension RunStatus {
  /// Returns the run paused at the reading because of a suspend or a lock; `nil` if that doesn't change it.
  package func leaving(_ cause: SuspendCause) -> ActiveRunSnapshot? {
    // Only the step at that moment counts: work that begins while the screen is locked continues.
    guard let run, !run.isPaused, run.policy(for: cause) != .continue, cause != .lock || !run.card.isRest
    else { return nil }
    return run.stopped(for: Suspend(cause: cause, since: reading, until: nil))
  }
}

extension ActiveRunSnapshot {
  /// The effect of suspend on the run, as decided when the run started.
  public var suspendPolicy: SuspendPolicy { options.suspendPolicy ?? sequence.onSuspend ?? .continue }

  /// The effect of a locked screen on the run, as decided when the run started.
  ///
  /// A timer and a run of cards continue: the user may lock the screen while the tea steeps.
  public var lockPolicy: SuspendPolicy {
    source == .file ? options.lockPolicy ?? sequence.onLock ?? .continue : .continue
  }

  package func policy(for cause: SuspendCause) -> SuspendPolicy {
    cause == .lock ? lockPolicy : suspendPolicy
  }

  /// The cause of the suspend that the run is paused for; `nil` if it is running or the user paused it.
  public var suspendCause: SuspendCause? { suspend?.cause }

  package var suspend: Suspend? {
    guard case .suspended(_, let suspend) = current.clock else { return nil }
    return suspend
  }

  package func countdownEnd(after reading: ClockReading) -> Duration? {
    agenda(after: reading).first(ofKinds: [.stepEnd, .overtime])?.at.boot
  }

  package var isAffectedBySuspend: Bool {
    switch current.clock {
    case .running: suspendPolicy != .continue || lockPolicy != .continue
    case .suspended(_, let suspend): suspend.until == nil
    case .paused: false
    }
  }

  package var isLocked: Bool { suspend.map { $0.cause == .lock && $0.until == nil } ?? false }

  package func returned(at reading: ClockReading) -> ActiveRunSnapshot? {
    guard case .suspended(let elapsed, var suspend) = current.clock, suspend.until == nil else { return nil }
    suspend.until = reading
    var run = self
    run.current.clock = .suspended(elapsed: elapsed, suspend)
    return run
  }

  /// Returns a run that was running when another boot ended, paused at the last sign of life from that boot.
  ///
  /// `nil` if the run continues during suspend.
  func pausedByPowerLoss(at reading: ClockReading, lastSignOfLife sign: ClockReading?) -> SettledRun? {
    guard suspendPolicy != .continue, case .running(let since, _) = current.clock,
      since.bootID != reading.bootID
    else { return nil }
    var last = since
    if let sign, sign.bootID == since.bootID, sign.boot >= since.boot { last = sign }
    switch continued(until: last) {
    case .active(let run):
      return .active(run.stopped(for: Suspend(cause: .powerLoss, since: last, until: reading)))
    case .ended(let ended): return .ended(ended)
    }
  }

  func countingSuspend() throws(RunError) -> ActiveRunSnapshot {
    switch current.clock {
    case .running: throw .alreadyRunning
    case .paused: throw .notSuspended
    case .suspended(let elapsed, let suspend):
      var run = self
      run.current.clock = .running(since: suspend.since, elapsedBefore: elapsed)
      return run
    }
  }

  /// Returns the run at a reading, if it was paused for a suspend whose time counts now.
  func continued(until reading: ClockReading, counting suspend: Suspend?) -> SettledRun {
    guard let suspend, let until = suspend.until, case .running(let since, _) = current.clock,
      since == suspend.since, since.bootID != until.bootID
    else { return continued(until: reading) }
    // Across boots the length of the suspend comes from the wall clock, once. Setting the clock later has no
    // influence.
    guard case .active(let back) = continued(until: until) else { return continued(until: until) }
    return back.continued(until: reading)
  }

  fileprivate func stopped(for suspend: Suspend) -> ActiveRunSnapshot {
    var run = self
    run.keepLength()
    run.current.clock = .suspended(elapsed: elapsed(at: suspend.since), suspend)
    return run
  }
}

/// A suspend, or a lock of the screen, that a run was paused for.
package struct Suspend: Hashable, Sendable {
  package let cause: SuspendCause
  /// The reading that the step's clock was stopped at.
  package let since: ClockReading
  /// The first reading after the suspend; `nil` until then.
  package internal(set) var until: ClockReading?

  /// The length of the suspend; `nil` until it is over.
  ///
  /// After a power loss this is the time since the last sign of life.
  package var length: Duration? { until.map { $0.elapsed(since: since) } }
}

/// The cause of a suspend that a run is paused for.
@nonexhaustive
public enum SuspendCause: String, Hashable, Sendable {
  /// The machine slept or hibernated.
  case sleep
  /// The machine was shut down or restarted regularly.
  case shutdown
  /// The screen was locked, whatever the machine did meanwhile.
  case lock
  /// The machine lost power; the run was paused at the last stored sign of life.
  case powerLoss = "power-loss"
}

extension Suspend {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("cause", cause.rawValue)
      json.member("since", since)
      json.member("until", until)
    }
  }

  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (cause, since, until) = (SuspendCause?.none, ClockReading?.none, ClockReading?.none)
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "cause": cause = try json.known(SuspendCause(rawValue: try json.string()), "cause")
      case "since": since = try json.reading()
      case "until": until = try json.reading()
      default: try json.skip()
      }
    }
    self.init(
      cause: try json.required(cause, "cause"), since: try json.required(since, "since"), until: until)
  }
}
