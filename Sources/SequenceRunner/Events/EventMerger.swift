import SequencePlatform

/// Merges the events of several runs in the order of boot, boot clock and journal entry.
///
/// Each run keeps the order of its own events.
struct EventMerger {
  /// The boots in their order; the last one isn't among them.
  private var boots: [String: Int]
  private let lastBoot: String
  private var sources: [(run: ActiveRunSnapshot, events: EventDerivation)] = []

  init(from first: String, to last: String) {
    boots = [first: 0]
    lastBoot = last
  }

  mutating func add(_ events: EventDerivation, of run: ActiveRunSnapshot) {
    guard !events.events.isEmpty || !events.skipped.isEmpty else { return }
    sources.append((run, events))
  }

  /// Returns the events, with those together that follow each other in a run.
  ///
  /// - Complexity: O(events × runs).
  mutating func merged() -> [EventBatch.Run] {
    guard sources.count > 1 else {
      return sources.map { EventBatch.Run(run: $0.run, events: $0.events.events, skipped: $0.events.skipped) }
    }
    rankBoots()

    var merged: [EventBatch.Run] = []
    var places = sources.map { _ in 0 }
    while let next = next(places) {
      let events = sources[next].events
      let first = places[next]
      repeat { places[next] += 1 } while self.next(places) == next
      merged.append(
        EventBatch.Run(
          run: sources[next].run, events: Array(events.events[first..<places[next]]),
          skipped: events.skipped.compactMap { $0.moved(into: first..<places[next], of: events.events.count) }
        ))
    }
    return merged
  }

  private mutating func rankBoots() {
    var order: [(entry: Int64, bootID: String, isCounted: Bool)] = []
    for source in sources {
      for (index, event) in source.events.events.enumerated() {
        // A suspend over reboots that counts brings events of the boots before that of its command.
        let isCounted = event.at.bootID != source.events.boots[index]
        order.append((source.events.entries[index], event.at.bootID, isCounted))
      }
    }
    order.sort { ($0.entry, $0.isCounted ? 1 : 0) < ($1.entry, $1.isCounted ? 1 : 0) }
    // A boot whose entries were read before the position is earlier than that of the position.
    var earlier: [String] = []
    for (_, bootID, isCounted) in order where boots[bootID] == nil && !earlier.contains(bootID) {
      if isCounted { earlier.append(bootID) } else { boots[bootID] = boots.count }
    }
    for (index, bootID) in earlier.enumerated() { boots[bootID] = index - earlier.count }
    boots[lastBoot] = .max
  }

  private func next(_ places: [Int]) -> Int? {
    var (found, least) = (Int?.none, (Int.max, Duration.zero, Int64.max))
    for (index, place) in places.enumerated() where place < sources[index].events.events.count {
      let event = sources[index].events.events[place]
      let key = (boots[event.at.bootID] ?? .max, event.at.boot, sources[index].events.entries[place])
      if found == nil || key < least { (found, least) = (index, key) }
    }
    return found
  }
}

extension SkippedRounds {
  /// Returns the rounds with their place in a part of the events; `nil` if they are in another part.
  fileprivate func moved(into part: Range<Int>, of count: Int) -> SkippedRounds? {
    guard part.contains(place) || place == count && part.upperBound == count else { return nil }
    return SkippedRounds(
      count: self.count, length: length, steps: steps, events: events, place: place - part.lowerBound)
  }
}
