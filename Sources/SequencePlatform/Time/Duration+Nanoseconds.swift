/// Durations are whole nanoseconds, from the file that names them to the store and back.
extension Duration {
  /// The whole nanoseconds in this duration, rounded toward zero; the nearest `Int64` past ±292 years.
  public var nanoseconds: Int64 {
    // `components` traps on a duration whose seconds exceed 64 bits.
    guard self > .nanoseconds(Int64.min) else { return .min }
    guard self < .nanoseconds(Int64.max) else { return .max }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in seconds, as the nearest `Double`.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}
