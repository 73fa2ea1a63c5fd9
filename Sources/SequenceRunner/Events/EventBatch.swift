package import SequencePlatform

/// The events of all runs between two positions, in order.
public struct EventBatch: Equatable, Sendable {
  /// The events, by run: a run is there more than once if events of other runs are between its own.
  package let runs: [Run]
  /// The position after the events.
  public let end: EventPosition

  package init(runs: [Run], end: EventPosition) {
    self.runs = runs
    self.end = end
  }

  /// The events, each with its run as it is stored.
  ///
  /// If the run is active, steps that time has ended since its last change have no record in it. The outcome of each step
  /// is in its `RunEvent.Kind.stepEnd`.
  public var events: [(run: ActiveRunSnapshot, event: RunEvent)] {
    runs.flatMap { ofRun in ofRun.events.map { (ofRun.run, $0) } }
  }
  /// The number of endless rounds whose events are not in `events`, because too many passed at once.
  public var skippedRounds: Int { runs.reduce(0) { $1.skipped.reduce($0) { $0 + $1.count } } }

  /// Events of one run that follow each other.
  package struct Run: Equatable, Sendable {
    package let run: ActiveRunSnapshot
    package let events: [RunEvent]
    package let skipped: [SkippedRounds]
  }
}

/// Endless rounds between two readings of events, except for the first and the last of these rounds.
package struct SkippedRounds: Equatable, Sendable {
  /// The number of rounds.
  package let count: Int
  /// The length of a round.
  package let length: Duration
  /// The number of steps of a round.
  package let steps: Int
  /// The events of the last skipped round; each round has the same events.
  package let events: [RunEvent]
  /// The number of listed events before them.
  package let place: Int

  /// Returns how many of the rounds had an event at or after a moment of the wall clock; `nil` counts all.
  ///
  /// - Parameter event: one of `events`.
  package func count(of event: RunEvent, notBefore moment: Moment?) -> Int {
    guard let moment else { return count }
    guard event.at.wall >= moment else { return 0 }
    return min(count, Int(event.at.wall.duration(since: moment).nanoseconds / length.nanoseconds) + 1)
  }
}

/// A position between the events of runs, up to which a reader has read them.
public struct EventPosition: Hashable, Sendable {
  /// The position before all events of a store.
  public static let beginning = EventPosition(
    entry: 0, at: ClockReading(wall: Moment(microseconds: 0), boot: .zero, bootID: ""))

  /// The number of the last journal entry that was read; 0 before the first entry.
  package let entry: Int64
  /// The reading until which the events that time brings were read.
  package let at: ClockReading

  package init(entry: Int64, at reading: ClockReading) {
    self.entry = entry
    at = reading
  }
}

extension EventPosition: Codable {
  private enum CodingKeys: String, CodingKey { case entry, wall, boot, bootID }

  /// Decodes whole microseconds and nanoseconds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    entry = try values.decode(Int64.self, forKey: .entry)
    at = ClockReading(
      wall: Moment(microseconds: try values.decode(Int64.self, forKey: .wall)),
      boot: .nanoseconds(try values.decode(Int64.self, forKey: .boot)),
      bootID: try values.decode(String.self, forKey: .bootID))
  }

  /// Encodes whole microseconds and nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(entry, forKey: .entry)
    try values.encode(at.wall.microseconds, forKey: .wall)
    try values.encode(at.boot.nanoseconds, forKey: .boot)
    try values.encode(at.bootID, forKey: .bootID)
  }
}
