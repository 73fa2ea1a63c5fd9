import Foundation
import TestSupport

enum DamagedBytes {
  private static let pageSize = 4096

  static func random(_ count: Int, _ random: inout SplitMix64) -> Data {
    Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  static func flipped(_ data: Data, _ random: inout SplitMix64) -> Data {
    var bytes = [UInt8](data)
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return Data(bytes)
  }

  /// Returns the data with a page lost or written to another place.
  static func withPageReplaced(_ data: Data, _ random: inout SplitMix64) -> Data {
    var bytes = [UInt8](data)
    let count = bytes.count / pageSize
    guard count > 0 else { return data }
    let page = Int.random(in: 0..<count, using: &random) * pageSize
    let other = Int.random(in: 0..<count, using: &random) * pageSize
    let replacement: [UInt8] =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: [UInt8](repeating: 0, count: pageSize)
      case 1: [UInt8](DamagedBytes.random(pageSize, &random))
      default: Array(bytes[other..<other + pageSize])
      }
    bytes.replaceSubrange(page..<page + pageSize, with: replacement)
    return Data(bytes)
  }
}
