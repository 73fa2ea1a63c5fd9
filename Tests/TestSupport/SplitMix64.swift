/// A small random number generator with the same numbers in each run and on each machine.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// - Parameter name: the purpose of the numbers; each name has its own sequence.
  package init(seed: UInt64, for name: String) {
    state = name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number in a range; the slight bias to small numbers does no harm here.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Returns one of some values; there must be at least one.
  package mutating func one<Value>(of values: [Value]) -> Value { values[number(in: 0...values.count - 1)] }

  package mutating func happens(_ percent: Int) -> Bool { number(in: 1...100) <= percent }
}
