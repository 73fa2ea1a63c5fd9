import Glibc
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceRunner

/// Follows a run without a terminal: prints a line or a document for each event.
enum LineFollowing {
  /// Prints the events of the run until it ends.
  ///
  /// - Parameter pausesOnInterrupt: whether SIGINT and SIGTERM pause the run, or only end this program.
  static func follow(
    _ follower: RunFollower, asJSON: Bool, pausesOnInterrupt: Bool, _ context: CommandContext
  ) throws -> ExitStatus {
    var reporter = try RunEventReporter(follower.run, in: follower.client.store)
    func tell(_ events: [RunEvent]) throws {
      for rounds in reporter.skipped {
        context.printError("sequence: \(StepText.count(rounds.count * rounds.steps)) are not listed")
      }
      for event in events {
        try context.print(asJSON ? JSONText.encode(reporter.document(event)) : reporter.line(event))
      }
    }
    while true {
      switch try follower.state() {
      case .over(let ended):
        try tell(reporter.events(until: context.clock.now()))
        follower.client.ensureAgent()
        return ExitStatus(ended)
      case .active(_, let status):
        try tell(reporter.events(until: status.reading))
        if let notice = try follower.desktopNotice() {
          context.printError("sequence: \(TextSafety.sanitised(notice))")
        }
        let event = try follower.wait(until: status.nextChange)
        let status = try LineFollowing.status(
          after: event, pausesOnInterrupt: pausesOnInterrupt, follower, context)
        if let status { return status }
      }
    }
  }

  /// The title of the followed run, and the argument that names it in a command; none if no other run is active.
  static func names(_ follower: RunFollower) throws -> (run: String?, word: String) {
    let isAlone = try !follower.client.store.peek().runs.contains { $0.runID != follower.run.runID }
    return isAlone ? (nil, "") : (quote(follower.run.sequence.title), " \(follower.run.name)")
  }

  /// The exit status if a signal ends the program; `nil` if it continues.
  static func status(
    after event: RunFollower.Event, pausesOnInterrupt: Bool, _ follower: RunFollower,
    _ context: CommandContext
  ) throws -> ExitStatus? {
    switch event {
    case .signal(SIGHUP): return .hangup
    case .signal(SIGINT), .signal(SIGTERM):
      if pausesOnInterrupt {
        if try follower.pause() {
          let (run, word) = try names(follower)
          context.printError(
            "sequence: \(run ?? "the run") is paused; to continue it, run sequence resume\(word)")
        }
      }
      return event == .signal(SIGINT) ? .interrupted : .terminated
    case .signal(SIGTSTP):
      _ = raise(SIGSTOP)
      return nil
    case .signal, .input, .other: return nil
    }
  }
}
