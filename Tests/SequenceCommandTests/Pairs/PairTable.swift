import TestSupport

/// Rows of levels in which each level of each factor meets each level of each other factor at least once.
///
/// Each row begins with a pair that has not been yet, and takes for one factor after the other the level that meets the
/// most of what it has not met: not the fewest rows there can be, but the same ones in each run.
struct PairTable {
  /// How many levels each factor has.
  let levels: [Int]
  private(set) var rows: [[Int]] = []
  private var met: [[Bool]]

  init(levels: [Int], seed: UInt64) {
    self.levels = levels
    let places = levels.reduce(0, +)
    met = Array(repeating: Array(repeating: false, count: places), count: places)
    var generator = SplitMix64(seed: seed)
    for first in levels.indices {
      for second in levels.indices.dropFirst(first + 1) {
        for (one, other) in PairTable.pairs(levels[first], levels[second])
        where !hasMet(first, one, second, other) {
          add(row(with: [first: one, second: other], &generator))
        }
      }
    }
  }

  /// Whether two levels of two factors are in a row together.
  func hasMet(_ first: Int, _ one: Int, _ second: Int, _ other: Int) -> Bool {
    met[place(first, one)][place(second, other)]
  }

  static func pairs(_ first: Int, _ second: Int) -> [(Int, Int)] {
    (0..<first).flatMap { one in (0..<second).map { (one, $0) } }
  }

  private func place(_ factor: Int, _ level: Int) -> Int { levels.prefix(factor).reduce(0, +) + level }

  private func row(with given: [Int: Int], _ generator: inout SplitMix64) -> [Int] {
    var chosen = given
    var left = levels.indices.filter { given[$0] == nil }
    while !left.isEmpty {
      let factor = left.remove(at: generator.number(in: 0...left.count - 1))
      // Where several are as good, any of them: the first would come too often.
      let start = generator.number(in: 0...levels[factor] - 1)
      let candidates = (0..<levels[factor]).map { ($0 + start) % levels[factor] }
      let gains = candidates.map { level in chosen.count { !hasMet($0.key, $0.value, factor, level) } }
      let best = gains.indices.max { (gains[$0], $1) < (gains[$1], $0) } ?? 0
      chosen[factor] = candidates[best]
    }
    return levels.indices.map { chosen[$0] ?? 0 }
  }

  private mutating func add(_ row: [Int]) {
    rows.append(row)
    for first in row.indices {
      for second in row.indices {
        met[place(first, row[first])][place(second, row[second])] = true
      }
    }
  }
}
