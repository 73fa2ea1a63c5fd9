package import SequencePlatform

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
