import Foundation
import SequenceFiles
import SequenceRunner
import TestSupport

@testable import SequenceCommand

/// A run in memory that a test can read at any moment.
struct StatusLooks {
  private var state: SettledRun?
  private let clock: ManualClock
  /// The initial boot clock.
  static let start = Duration.seconds(1000)

  /// - Parameter cards: the cards in the form of `--card`.
  init(_ cards: String..., title: String = "Tabata", rounds: Int = 1) throws {
    try self.init(CardSpec.sequence(cards: cards, rounds: rounds, title: title))
  }

  init(yaml: String) throws {
    let directory = try TemporaryDirectory()
    try self.init(SequenceFile.read(path: directory.write(yaml, to: "sequence.yaml")).timeline)
  }

  private init(_ timeline: Timeline) throws {
    clock = ManualClock(boot: StatusLooks.start)
    state = .active(ActiveRunSnapshot(runID: UUID(), timeline: timeline, at: clock.now()))
  }

  static let idle = RunStatus(reading: ManualClock(boot: start).now(), run: nil)

  /// Returns the status at a moment of the boot clock, which must not precede the last command.
  func look(at boot: Duration) -> RunStatus {
    let reading = clock.now().advanced(by: boot - clock.now().boot)
    guard case .active(let run) = state, case .active(let settled) = run.settled(at: reading) else {
      return RunStatus(reading: reading, run: nil)
    }
    return RunStatus(reading: reading, run: settled)
  }

  /// Returns the status after a number of seconds from the start.
  func look(after seconds: Double) -> RunStatus {
    look(at: StatusLooks.start + .nanoseconds(Int64(seconds * 1e9)))
  }

  /// Applies a command after a number of seconds from the start.
  mutating func perform(_ command: RunCommand, after seconds: Double) throws {
    let status = look(after: seconds)
    clock.advance(by: status.reading.boot - clock.now().boot)
    state = try status.run?.applying(command, at: status.reading)
  }
}
