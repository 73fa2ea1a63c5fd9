import FoundationEssentials
import Glibc
import SequenceClient
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore

final class RunControl {
  let client: Client
  private let waiter: StoreWaiter
  private let agent: AgentWatch
  private let foreground: Foreground
  private var sources: [(descriptor: Int32, source: LoopSource)] = []
  private var ownDescriptors: [Int32] = []
  /// Called when the store has changed, or a time has come that was waited for.
  var onNews: () -> Void = {}
  /// Called with an error that no action of the user caused.
  var onError: (any Error) -> Void = { _ in }

  init(_ client: Client) throws {
    self.client = client
    waiter = try StoreWaiter(client.store.base)
    agent = try AgentWatch(client)
    foreground = try Foreground(client.store)
  }

  func status() throws -> RunStatus {
    let status = try client.settle()
    agent.followRuns(status)
    return status
  }

  /// The end of a run that was shown before; `nil` if it isn't in the history.
  func end(of run: ActiveRunSnapshot) throws -> EndedRun? {
    guard let ended = try client.store.endedRun(id: run.runID) else { return nil }
    // The notifications of a lost run are all that is left of it.
    if ended.outcome != .lost, !client.rings(ended.snapshot) {
      try foreground.suppressDue(of: ended.snapshot)
    }
    return ended
  }

  /// The runs that have finished in the last minutes and whose end nobody has seen, oldest first.
  func unseenEnds() throws -> [EndedRun] {
    let now = client.context.clock.now().wall
    return try client.store.unseenEnds(since: now.advanced(by: .zero - RunControl.longestUnseen))
  }

  private static let longestUnseen = Duration.seconds(600)

  func rings(_ ended: EndedRun) -> Bool { client.rings(ended.snapshot) }

  /// Removes the notification of the end of a run that the user has seen.
  func see(_ ended: EndedRun) throws {
    try client.store.seeEnd(of: ended.snapshot)
    client.ensureAgent()
  }

  /// - Returns: the id of the run; `nil` if it is over at once.
  func start(_ timeline: Timeline, _ start: RunStart, labels: [String]) throws -> UUID? {
    try client.start(timeline, RunChoices(ofDesktop: start, labels: labels)).run?.runID
  }

  func playsSounds(_ run: ActiveRunSnapshot) -> Bool {
    run.options.sound ?? client.configuration().cues.sound
  }

  /// Performs a command on the step and the run that the user sees, and on no other.
  func perform(_ command: RunCommand, on shown: ActiveRunSnapshot) throws {
    // Its sounds and its end concern the whole run.
    let step: Int? =
      switch command {
      case .playSounds, .stop: nil
      default: shown.log.count
      }
    _ = try client.perform(command, on: shown.runID, onStep: step)
  }

  /// Claims the run that the user looks at, if any: its notifications are suppressed then.
  func setForeground(_ run: UUID?) {
    do {
      if let run { try foreground.claim(run) } else if foreground.claimed != nil { try foreground.release() }
    } catch {
      onError(error)
    }
  }

  /// Records the run on the window; returns whether it keeps the screen on as long as it isn't paused, and whether its
  /// rests fill the screen.
  func setShown(_ run: UUID?) -> (keepsScreenOn: Bool, fillsInRests: Bool) {
    do {
      try foreground.show(run)
    } catch {
      onError(error)
    }
    let configuration = client.configuration()
    return (run != nil && configuration.keepsScreenOn, configuration.fullScreen == .rest)
  }

  /// Waits for a change of the store, and for a time on the boot clock unless it is `nil`.
  func wait(until deadline: Duration?) {
    do {
      ownDescriptors = try waiter.prepare(until: [deadline, agent.nextCheck].compactMap { $0 }.min())
      let descriptors = ownDescriptors + agent.descriptors
      guard descriptors != sources.map(\.descriptor) else { return }
      sources = descriptors.map { descriptor in
        (descriptor, LoopSource.readable(descriptor) { [unowned self] in wake(descriptor) })
      }
    } catch {
      onError(error)
    }
  }

  private func wake(_ descriptor: Int32) {
    do {
      if ownDescriptors.contains(descriptor) { try waiter.acknowledge([descriptor]) }
      try agent.replaceIfEnded([descriptor])
    } catch {
      onError(error)
    }
    wait(until: nil)
    onNews()
  }
}
