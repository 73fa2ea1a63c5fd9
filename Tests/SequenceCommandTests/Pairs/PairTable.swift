import TestSupport

/// Rows of levels that combine each level of each factor at least once with each level of every other factor.
///
/// Each row begins with a new pair. For each further factor it takes the level with the most new pairs. The
/// number of rows is not minimal, but the rows are the same in each run.
struct PairTable {
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
      // Among equally good levels a random one is taken, because the first would occur too often.
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
