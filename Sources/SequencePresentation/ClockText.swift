import Glibc
package import SequencePlatform
package import SequenceRunner
import SequenceStore

/// Durations as shown by a clock: `0:07`, `1:30`, `12:05`, `1:02:03`, and `+0:12` for overtime.
package enum ClockText {
  /// Formats the time left, rounded up to seconds; a negative duration is overtime, with a plus sign.
  ///
  /// Shows `0:00` only when the time is over.
  package static func remaining(_ duration: Duration) -> String {
    let seconds = wholeSecondsUp(duration)
    return seconds < 0 ? "+" + text(seconds: -seconds) : text(seconds: seconds)
  }

  /// Formats elapsed time, rounded down to seconds; a negative duration is shown as zero.
  package static func elapsed(_ duration: Duration) -> String {
    text(seconds: max(0, wholeSecondsDown(duration)))
  }

  package static func wholeSecondsUp(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  package static func wholeSecondsDown(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }

  private static func text(seconds: Int64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

package func padded(_ number: Int, _ digits: Int) -> String {
  let text = String(number)
  let missing = digits - text.utf8.count
  return missing > 0 ? String(repeating: "0", count: missing) + text : text
}

extension Duration {
  /// The duration rounded up to whole seconds, as a clock that counts down shows it.
  package var wholeSeconds: Duration {
    .seconds((nanoseconds + 999_999_999) / 1_000_000_000)
  }
}

/// The ends of steps and runs as clock times, such as `14:35`, or `14:35 tomorrow` if they are not today's.
package enum EndText {
  /// Returns the clock time after a duration.
  ///
  /// It is rounded to seconds, so that an end on the full minute is not shown as the minute before because two clocks
  /// were read one after the other.
  package static func clock(_ now: Moment, after duration: Duration) -> String {
    let end = now.advanced(by: duration).microseconds + 500_000
    return LocalTime.clock(of: Moment(microseconds: end - end % 1_000_000), now: now)
  }

  /// Returns the clock time of an end like `clock(_:after:)`, such as `about 14:35` if it depends on the user.
  package static func clock(_ now: Moment, after duration: Duration, isAbout: Bool) -> String {
    let end = clock(now, after: duration)
    return isAbout ? translated("about {}", end) : end
  }

  /// Returns how late a run is, such as `4 min late` or `1 h 5 min late`; `nil` below one minute.
  package static func lateness(_ late: Duration) -> String? {
    let minutes = late.nanoseconds / 60_000_000_000
    guard minutes >= 1 else { return nil }
    return translated("{} late", LengthText.format(.seconds(minutes * 60)).replacing("\u{A0}", with: " "))
  }
}

/// The plan of a run that would start now and is to end at a time.
package struct PlannedRun {
  private let run: ActiveRunSnapshot
  private let now: Moment
  package let deadline: Moment
  /// The time from the deadline to the end of the run.
  package let late: Duration

  /// - Throws: the refusal that a start would have.
  package init(_ timeline: Timeline, until deadline: Moment, at reading: ClockReading) throws(RunError) {
    if let refusal = RunStart(until: deadline).refusal(of: timeline, at: reading) { throw refusal }
    run = ActiveRunSnapshot(timeline: timeline, until: deadline, at: reading)
    (self.deadline, now) = (deadline, reading.wall)
    late = run.late(at: reading) ?? .zero
  }

  package func step(at index: Int) -> Step { run.step(at: index) }

  /// Returns the time from the start of the run to that of a step, if each step takes its planned length.
  package func start(ofStepAt index: Int) -> Duration {
    run.chain?.time(ofStepAt: index, elapsed: .zero) ?? .zero
  }

  /// The length of the run, if each step takes the time that it is planned or fitted to.
  package var length: Duration { deadline.duration(since: now) + late }

  /// The end of the run, such as `until 13:04, 4 min late`.
  package var end: String {
    let end = EndText.clock(now, after: length, isAbout: run.timeline.firstStop(from: 0) != nil)
    return translated("until {}", end) + (EndText.lateness(late).map { ", \($0)" } ?? "")
  }
}

/// Lengths as a window shows them: `20 s`, `5 min 50 s`, `1 d 4 h`; sums in hours.
package enum LengthText {
  /// Formats a length; a number and its unit stay in one line.
  package static func format(_ duration: Duration) -> String {
    var (parts, number): ([String], String) = ([], "")
    for character in DurationText.shown(duration) {
      if character.isLetter {
        parts.append(part(number, character))
        number = ""
      } else {
        number += character == "." ? Language.decimalPoint : String(character)
      }
    }
    return parts.joined(separator: " ")
  }

  /// - Parameter unit: `d`, `h` or `m`; another letter stands for seconds.
  private static func part(_ number: String, _ unit: Character) -> String {
    let part =
      switch unit {
      case "d": translated("{} d", number)
      case "h": translated("{} h", number)
      case "m": translated("{} min", number)
      default: translated("{} s", number)
      }
    return part.replacing(" ", with: "\u{A0}")
  }

  /// Formats a sum of times in hours and minutes; minutes only below 10 hours, and seconds only below one minute.
  package static func total(_ duration: Duration) -> String {
    let seconds = max(0, ClockText.wholeSecondsDown(duration))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    guard seconds >= 60 else { return part("\(seconds)", "s") }
    let parts = [
      hours > 0 ? part("\(hours)", "h") : nil, hours < 10 && minutes > 0 ? part("\(minutes)", "m") : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  /// Formats elapsed time, rounded down to seconds.
  package static func elapsed(_ duration: Duration) -> String {
    format(.seconds(max(0, ClockText.wholeSecondsDown(duration))))
  }
}

/// Moments as texts in local time; JSON has UTC instead.
package enum LocalTime {
  /// Returns the date and time of a moment, such as `2026-11-21 09:00:05`; UTC for years beyond the C library's.
  ///
  /// - Parameter withZone: whether the name of the time zone follows.
  package static func text(of moment: Moment, withZone: Bool = false) -> String {
    guard let parts = Parts(moment) else { return moment.description }
    let (year, month, day) = parts.numbers
    // Not `joined`, which takes a twentieth of the run time of a short command.
    let date = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    return "\(date) \(parts.clock):\(padded(parts.second, 2))\(withZone ? parts.zone : "")"
  }

  /// Returns the clock time of a moment, such as `14:02`; with its day, such as `14:02 tomorrow` or `14:02 on 30 Nov`,
  /// if that is not today.
  package static func clock(of moment: Moment, now: Moment) -> String {
    guard let parts = Parts(moment), let today = Parts(now) else { return moment.description }
    switch parts.day - today.day {
    case 0: return parts.clock
    case 1: return translated("{} tomorrow", parts.clock)
    case -1: return translated("{} yesterday", parts.clock)
    default:
      let (year, month, day) = parts.numbers
      return translated(
        "{time} on {date}",
        ["time": parts.clock, "date": date(year, month, day, inYear: today.numbers.year)])
    }
  }

  /// The short names of the months in the user's language.
  package static let months = [
    translated("Jan"), translated("Feb"), translated("Mar"), translated("Apr"), translated("May"),
    translated("Jun"), translated("Jul"), translated("Aug"), translated("Sep"), translated("Oct"),
    translated("Nov"), translated("Dec"),
  ]

  /// Returns a date as people write it, such as `30 Nov`, or `30 Nov 2025` in another year.
  ///
  /// - Parameter month: the month from 1.
  package static func date(_ year: Int, _ month: Int, _ day: Int, inYear thisYear: Int) -> String {
    let date = translated("{day} {month}", ["day": "\(day)", "month": months[(month - 1) % 12]])
    return year == thisYear ? date : translated("{date} {year}", ["date": date, "year": "\(year)"])
  }

  private struct Parts {
    let numbers: (year: Int, month: Int, day: Int)
    /// The number of the day since 1970.
    let day: Int
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
      numbers = unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
      let local = unsafe seconds + Int(parts.tm_gmtoff)
      day = (local - (local % 86_400 + 86_400) % 86_400) / 86_400
      clock = unsafe clockTime(hour: Int(parts.tm_hour), minute: Int(parts.tm_min))
      second = unsafe Int(parts.tm_sec)
      zone = unsafe parts.tm_zone == nil ? "" : " " + String(cString: parts.tm_zone)
    }
  }
}
