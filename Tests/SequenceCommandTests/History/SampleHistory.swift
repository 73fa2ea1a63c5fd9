import Foundation
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceStore
import TestSupport

@testable import SequenceCommand

extension Moment {
  /// Parses an ISO 8601 text with a zone.
  init(_ text: String) throws {
    self.init(try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text))
  }
}

/// Days of 24 hours in UTC.
struct WholeDays: DayDivision {
  func day(of moment: Moment) -> (day: CivilDay, end: Moment) {
    let length: Int64 = 86_400_000_000
    let number = moment.microseconds / length - (moment.microseconds % length < 0 ? 1 : 0)
    return (CivilDay(number: Int(number)), Moment(microseconds: (number + 1) * length))
  }
}

/// A history that a test creates run by run at chosen times.
final class SampleHistory {
  let directory: TemporaryDirectory
  private let clock = ManualClock(wall: Moment(microseconds: 0))

  init() throws { directory = try TemporaryDirectory() }

  /// Opens the store.
  func store() throws -> RunStore {
    try RunStore(in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
  }

  func set(_ moment: String) throws {
    clock.setWall(by: try Moment(moment).duration(since: clock.now().wall))
  }

  func pass(_ duration: Duration) { clock.advance(by: duration) }

  @discardableResult
  func perform(_ words: String...) throws -> String {
    let output = try run(words)
    guard output.status == 0 else {
      throw TestSupportError("\(words): \(output.status) \(output.errors)")
    }
    return output.text
  }

  func run(_ words: [String]) throws -> CommandLineRunner.Outcome {
    var text = ""
    var errors = ""
    let context = CommandContext(
      environment: ["SEQUENCE_STATE_DIR": directory.path, "LANG": "C.UTF-8"], clock: clock,
      print: { text += $0 + "\n" }, printError: { errors += $0 + "\n" }, startAgent: { _ in getpid() },
      agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    let status = SequenceProgram.run(words, in: context)
    return CommandLineRunner.Outcome(status: status, text: text, errors: errors)
  }

  /// Adds a run of one countdown from a moment on, finished or stopped early.
  func run(_ title: String = "Test", from start: String, for duration: Duration, stops: Bool = false) throws {
    try set(start)
    try perform("start", "--title", title, "--card", "Only 30d")
    pass(duration)
    try perform(stops ? "stop" : "next")
  }

  /// Calculates the statistics, with days in UTC.
  func statistics(since: CivilDay? = nil, by grouping: StatisticsGrouping = .day) throws -> Statistics {
    var statistics = Statistics(WholeDays(), since: since, by: grouping)
    try statistics.add(from: store(), since: Moment(microseconds: .min))
    return statistics
  }

  func configure(_ text: String) throws {
    _ = try directory.write(text, to: ".config/sequence/config.yaml")
  }

  /// Returns the output of the built program in a time zone.
  func tool(_ words: String..., zone: String) throws -> String {
    let environment = [
      "SEQUENCE_STATE_DIR": directory.path, "TZ": zone, "HOME": directory.path, "LC_ALL": "C.UTF-8",
    ]
    let output = try ChildProcess.run(BuiltProducts.path(of: "sequence"), words, environment: environment)
    guard output.status == 0, output.errors.isEmpty else {
      throw TestSupportError("\(words): \(output.status) \(output.errors)")
    }
    return output.text
  }
}
