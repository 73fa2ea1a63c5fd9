import NotifierLedger
import TestSupport

/// The cost of removing one card's notifications out of very many.
enum OneCard: Benchmark {
  static let name = "card"
  private static let count = 100_000
  private static let cards = 200

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let library = try LibraryUser()
    let directory = try TemporaryDirectory()
    let transaction = try Asked(workplace.floor("sqlite-transaction"), [directory.path + "/floor.db"])
    _ = try library.add("bench", count)
    var card = 0
    let samples = try interleaved(
      cards,
      [
        {
          card += 1
          return try library.remove(NotificationScope("bench", "\(card)"))
        }, { try transaction.duration("10") },
      ])
    let left = try library.pendingCount("bench")
    guard left == count - 10 * card else { throw BenchmarkError("\(left) are left") }
    let what = "remove one card's notifications out of 100,000"
    for (name, percent) in [("median", 50.0), ("p99", 99.0)] {
      try report(
        Row(
          "\(what), \(name)", .nanoseconds(samples[0].percentile(percent)),
          beside: "floor: SQLite transaction",
          .nanoseconds(samples[1].percentile(percent)),
          goal: name == "median" ? .limit(.nanoseconds(1_000_000)) : nil
        ))
    }
  }
}
