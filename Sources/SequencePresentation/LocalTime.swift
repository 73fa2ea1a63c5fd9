import Glibc
package import SequencePlatform
import SequenceStore

/// Moments as texts in local time; JSON has UTC instead.
package enum LocalTime {
  /// Returns the date and time of a moment, such as `2026-11-21 09:00:05`; UTC for years beyond the C library's.
  ///
  /// - Parameter withZone: whether the name of the time zone follows.
  package static func text(of moment: Moment, withZone: Bool = false) -> String {
    guard let parts = Parts(moment) else { return moment.description }
    return "\(parts.date) \(parts.clock):\(padded(parts.second, 2))\(withZone ? parts.zone : "")"
  }

  /// Returns the clock time of a moment, such as `14:02`, after the date if that is not today's.
  package static func clock(of moment: Moment, now: Moment) -> String {
    guard let parts = Parts(moment), let today = Parts(now)?.date else { return moment.description }
    return parts.date == today ? parts.clock : "\(parts.date) \(parts.clock)"
  }

  /// The parts of a moment in local time.
  private struct Parts {
    let date: String
    let clock: String
    let second: Int
    /// The name of the time zone after a space; empty if it has none.
    let zone: String

    /// - Returns: `nil` for years beyond the C library's.
    init?(_ moment: Moment) {
      // Unlike `localtime`, `localtime_r` doesn't read `TZ` by itself.
      tzset()
      var (seconds, parts) = unsafe (time_t(moment.microseconds / 1_000_000), tm())
      guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
      // Not `joined`, which takes a twentieth of the run time of a short command.
      date =
        unsafe padded(Int(parts.tm_year) + 1900, 4) + "-" + padded(Int(parts.tm_mon) + 1, 2) + "-"
        + padded(Int(parts.tm_mday), 2)
      clock = unsafe padded(Int(parts.tm_hour), 2) + ":" + padded(Int(parts.tm_min), 2)
      second = unsafe Int(parts.tm_sec)
      zone = unsafe parts.tm_zone == nil ? "" : " " + String(cString: parts.tm_zone)
    }
  }
}
