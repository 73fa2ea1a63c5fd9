import NotifierLedger
import SequencePlatform
import SequenceRunner

/// The notifications of a run as they follow from an entry of its journal.
///
/// Times count from the start of the clock in that entry. The plan is read lazily and may be endless.
struct RunPlan {
  let run: ActiveRunSnapshot
  let entry: JournalEntry
  /// The steps that time passes after the entry; `nil` while the clock is stopped.
  let chain: StepChain?

  init(run: ActiveRunSnapshot, entry: JournalEntry) {
    self.run = run
    self.entry = entry
    chain = entry.chain(in: run.timeline)
  }

  /// A request with its due time.
  struct Upcoming {
    let time: Duration
    let request: NotificationRequest
  }

  /// A part of the plan that gets entries.
  struct Window {
    var requests: [Upcoming] = []
    /// The due time of the last request, and when to plan more; `nil` if the plan ends with it.
    var mark: (time: Duration, refill: Duration)?
  }

  /// Returns the time of a reading; `nil` while the clock is stopped.
  func time(at reading: ClockReading) -> Duration? { chain.map { reading.elapsed(since: $0.since) } }

  /// Returns the requests after a time, in order.
  func requests(after time: Duration) -> some Sequence<Upcoming> {
    let since = chain?.since.boot ?? .zero
    return Agenda(chain, after: time).lazy.compactMap { event in
      run.request(event).map { Upcoming(time: event.at.boot - since, request: $0) }
    }
  }

  /// Returns the first requests after a time.
  func window(after time: Duration, _ horizon: PlanningHorizon) -> Window {
    var window = Window()
    for upcoming in requests(after: time) {
      guard window.requests.count < horizon.count else {
        let last = window.requests[horizon.count - 1],
          refill = window.requests[horizon.count - horizon.fewest]
        window.mark = (last.time, refill.time)
        break
      }
      window.requests.append(upcoming)
    }
    return window
  }

  /// Returns the last request after a time and until another that is in none of some scopes, and the number of steps
  /// that end before it after that time.
  ///
  /// - Returns: `nil` without one among the last steps; how many these are is up to the horizon.
  /// - Complexity: O(horizon + log steps), however many requests there are.
  func last(
    after first: Duration, until last: Duration, notIn cleared: [NotificationScope],
    _ horizon: PlanningHorizon
  ) -> (upcoming: Upcoming, earlier: Int)? {
    guard let chain, last > first else { return nil }
    // Each step that has ended by itself had one request.
    let passed = chain.step(after: first)
    let start = max(passed, chain.step(after: last) - horizon.count)
    var earlier = start - passed
    var found: (upcoming: Upcoming, earlier: Int)?
    for upcoming in requests(after: start == passed ? first : chain.time(ofStepAt: start, elapsed: .zero)) {
      guard upcoming.time <= last else { break }
      if !cleared.contains(where: { $0.contains(upcoming.request.identifier) }) {
        found = (upcoming, earlier)
      }
      if upcoming.request.kind == .stepEnd { earlier += 1 }
    }
    return found
  }
}
