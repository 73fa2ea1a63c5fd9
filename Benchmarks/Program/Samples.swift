struct Samples {
  private(set) var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }
  mutating func add(_ duration: Duration) { values.append(duration / .nanoseconds(1)) }

  var median: Double { percentile(50) }

  /// Returns a percentile by the nearest-rank method.
  func percentile(_ percent: Double) -> Double {
    let sorted = values.sorted()
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    return sorted.isEmpty ? .nan : sorted[min(max(rank, 1), sorted.count) - 1]
  }

  var medianTime: Figure { .nanoseconds(median) }
}

/// Measures several things in turn, so that other load on the machine affects all of them alike.
///
/// - Parameters:
///   - rounds: the number of measurements of each.
///   - warmUps: the number of uncounted rounds before that.
func interleaved(
  _ rounds: Int, warmUps: Int = 1, _ measures: [() throws -> Duration]
) throws -> [Samples] {
  var samples = measures.map { _ in Samples() }
  for round in 0..<warmUps + rounds {
    for (index, measure) in measures.enumerated() {
      let duration = try measure()
      if round >= warmUps { samples[index].add(duration) }
    }
  }
  return samples
}
