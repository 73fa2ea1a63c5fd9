import CSequenceLinux
import FoundationEssentials
import Glibc
package import Platform
import Presentation
import Store

/// Moments as texts in local time; JSON has UTC instead.
package enum LocalTime {
  /// The date and time of a moment, such as `2026-11-21 09:00:05`; UTC for years beyond the C library's.
  ///
  /// - Parameter withZone: whether the name of the time zone follows.
  package static func text(of moment: Moment, withZone: Bool = false) -> String {
    // Unlike `localtime`, `localtime_r` doesn't read `TZ` by itself.
    tzset()
    var (second, parts) = unsafe (time_t(moment.microseconds / 1_000_000), tm())
    guard unsafe localtime_r(&second, &parts) != nil else { return moment.description }
    let date = unsafe [
      padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
    ].joined(separator: "-")
    let time = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map { padded($0, 2) }
    let zone = unsafe withZone && parts.tm_zone != nil ? " " + String(cString: parts.tm_zone) : ""
    return date + " " + time.joined(separator: ":") + zone
  }
}
