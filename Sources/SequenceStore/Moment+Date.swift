public import FoundationEssentials
public import SequencePlatform

/// Dates and ISO text of moments; the module of `Moment` does without Foundation.
extension Moment: CustomStringConvertible {
  /// The moment nearest to a date.
  ///
  /// - Parameter date: any date; one beyond ±292,000 years becomes the nearest moment there is.
  public init(_ date: Date) {
    let exact = (date.timeIntervalSince1970 * 1e6).rounded()
    self.init(microseconds: Int64(exactly: exact) ?? (exact < 0 ? .min : .max))
  }

  /// The same moment as a `Date`.
  public var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1e6) }

  /// ISO 8601 in UTC with milliseconds, such as `2026-11-21T09:00:00.000Z`; rounded down.
  public var description: String {
    let (milliseconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1000)
    let floored = fraction < 0 ? milliseconds - 1 : milliseconds
    // The formatter truncates, and the floating-point number behind `Date` can lie a hair below a whole number of
    // milliseconds: half a millisecond more is safe.
    let date = Date(timeIntervalSince1970: (Double(floored) + 0.5) / 1000)
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
