/// Durations are whole nanoseconds, from the file that names them to the store and back.
extension Duration {
  /// The whole nanoseconds in this duration, rounded toward zero; the nearest `Int64` past ±292 years.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowedAgain) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    if overflowed || overflowedAgain { return seconds < 0 ? .min : .max }
    return sum
  }

  /// The duration in seconds, as the nearest `Double`.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}
