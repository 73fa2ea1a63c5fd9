/// Random numbers that are the same for the same seed (SplitMix64).
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameter name: the purpose of the numbers; each name has its own sequence.
  init(seed: UInt64, _ name: String) {
    state = name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
