import TestSupport

/// The costs of the system itself, for comparison.
enum Floors: Benchmark {
  static let name = "floors"

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let directory = try TemporaryDirectory()
    let question = try Asked(
      workplace.floor("dbus-round-trip"), environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let transaction = try Asked(workplace.floor("sqlite-transaction"), [directory.path + "/floor.db"])
    let samples = try interleaved(
      300, [{ try question.duration("1") }, { try transaction.duration("1") }])
    withExtendedLifetime(server) {}
    try report(Row("floor: D-Bus round trip to the server", samples[0].medianTime))
    try report(Row("floor: SQLite transaction, WAL, synchronous=FULL", samples[1].medianTime))
  }
}
