import SequenceClient
import SequencePlatform

/// A local time of day on the command line, such as `14:30`.
struct TimeOfDay: Equatable {
  let hour: Int
  let minute: Int

  /// The time of a text of hours and two digits of minutes; `nil` for another text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let hour = Int(parts[0]),
      let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    (self.hour, self.minute) = (hour, minute)
  }

  /// Returns the first moment with this time after another moment.
  func next(after now: Moment) -> Moment {
    var day = LocalDays().day(of: now).day
    while true {
      let moments = LocalDays.moments(of: day, hour: hour, minute: minute)
      if let next = moments.first(where: { $0 > now }) { return next }
      day = day + 1
    }
  }
}
