public import FoundationEssentials
public import SequencePlatform
import SequenceStore

extension ManualClock {
  /// Clocks of a machine that show a date until they are moved.
  ///
  /// - Parameters:
  ///   - date: the time on the wall clock.
  ///   - zone: the time zone of the machine.
  public convenience init(at date: Date, in zone: TimeZone = .gmt) {
    self.init(wall: Moment(date))
    timeZone = zone.identifier
  }

  /// The time on the wall clock.
  public var date: Date { now().wall.date }
}
