import SequencePlatform

/// A position between the events of runs, up to which a reader has read them.
public struct EventPosition: Hashable, Sendable, Comparable {
  /// The position before all events of a store.
  public static let beginning = EventPosition(entry: 0, time: .zero)

  /// The number of the last journal entry whose own events were read; 0 before the first entry.
  package let entry: Int64
  /// The time after the start of that entry's clock up to which the events that time brings were read.
  package let time: Duration

  package init(entry: Int64, time: Duration) {
    self.entry = entry
    self.time = time
  }

  /// Whether a position is before another one of the same store.
  public static func < (left: EventPosition, right: EventPosition) -> Bool {
    (left.entry, left.time) < (right.entry, right.time)
  }
}

extension EventPosition: Codable {
  private enum CodingKeys: String, CodingKey { case entry, time }

  /// Decodes a number and whole nanoseconds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    entry = try values.decode(Int64.self, forKey: .entry)
    time = .nanoseconds(try values.decode(Int64.self, forKey: .time))
  }

  /// Encodes a number and whole nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(entry, forKey: .entry)
    try values.encode(time.nanoseconds, forKey: .time)
  }
}
