import TestSupport

/// The delay between the due time of a notification and its arrival at the server.
///
/// A run of short steps, the bare floor and the floor with libnotify share a server and a bus, at interleaved
/// times.
enum Lateness: Benchmark {
  static let name = "lateness"
  private static let count = 500
  private static let interval: Int64 = 120_000_000
  private static let floors = ["notify", "libnotify"]

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let tool = try Tool(workplace, bus: bus)
    try tool("start", try tool.file(SequenceText.short(steps: count, seconds: 0.12, lead: 3)))
    let due = try DueTimes(of: tool, first: count)
    guard let first = due.first, due.count == count else { throw BenchmarkError("\(due.count) planned") }

    let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    let starts = floors.indices.map { first + interval * Int64($0 + 1) / Int64(floors.count + 1) }
    let children = try zip(floors, starts).map { name, start in
      let arguments = [String(count), String(start), String(interval)]
      return try ChildProcess(workplace.floor(name), arguments, environment: environment)
    }
    var ours = Samples()
    var others = floors.map { _ in Samples() }
    let names = ["bus", "libnotify"]
    while ours.values.count < count || others.contains(where: { $0.values.count < count }) {
      let event = try server.next("notify", within: .seconds(30))
      let words = (event.summary ?? "").split(separator: " ")
      if let index = words.first.flatMap({ names.firstIndex(of: String($0)) }), let number = Int64(words[1]) {
        others[index].add(Double(event.at - starts[index] - number * interval))
      } else {
        ours.add(Double(try due.lateness(of: event)))
      }
    }
    for child in children where try child.exitStatus() != 0 {
      throw BenchmarkError("a floor failed: \(try child.errorText())")
    }
    try tell(ours, others, report)
  }

  private static func tell(_ ours: Samples, _ others: [Samples], _ report: (Row) throws -> Void) throws {
    for (name, percent) in [("median", 50.0), ("p99", 99.0)] {
      let what = "lateness of \(count) notifications, \(name)"
      let mine = Figure.nanoseconds(ours.percentile(percent))
      let (bare, libnotify) = (others[0].percentile(percent), others[1].percentile(percent))
      try report(
        Row(what, mine, beside: "floor: timer and D-Bus call", .nanoseconds(bare), goal: .ratio(1.5)))
      try report(Row(what, mine, beside: "timer and libnotify", .nanoseconds(libnotify)))
    }
  }
}
