/// A hash that is the same in every process, on every machine and in every version.
package enum StableHash {
  /// Returns the FNV-1a hash of 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
  ///
  /// Any single changed byte changes it, because each step is a bijection. It does not protect against deliberate
  /// collisions.
  package static func fnv1a128(_ bytes: [UInt8]) -> UInt128 {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in bytes {
      hash ^= UInt128(byte)
      hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    return hash
  }
}
