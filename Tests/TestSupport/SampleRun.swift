import Foundation
import SequenceFiles
package import SequenceRunner

/// A run in memory that a test can read at any moment.
package struct SampleRun {
  private var state: SettledRun?
  private let clock: ManualClock
  /// The initial boot clock.
  package static let start = Duration.seconds(1000)

  /// - Parameter cards: the cards in the form of `--card`.
  package init(_ cards: String..., title: String = "Tabata", rounds: Rounds = 1) throws {
    try self.init(CardSpec.sequence(cards: cards, rounds: rounds, title: title))
  }

  package init(yaml: String) throws {
    let directory = try TemporaryDirectory()
    try self.init(SequenceFile.read(path: directory.write(yaml, to: "sequence.yaml")).timeline)
  }

  private init(_ timeline: Timeline) throws {
    clock = ManualClock(boot: SampleRun.start)
    state = .active(ActiveRunSnapshot(runID: UUID(), timeline: timeline, at: clock.now()))
  }

  package static let idle = RunStatus(reading: ManualClock(boot: start).now(), run: nil)

  /// Returns the status at a moment of the boot clock, which must not precede the last command.
  package func status(at boot: Duration) -> RunStatus {
    let reading = clock.now().advanced(by: boot - clock.now().boot)
    guard case .active(let run) = state, case .active(let settled) = run.settled(at: reading) else {
      return RunStatus(reading: reading, run: nil)
    }
    return RunStatus(reading: reading, run: settled)
  }

  package func status(after seconds: Double) -> RunStatus {
    status(at: SampleRun.start + .nanoseconds(Int64(seconds * 1e9)))
  }

  package mutating func perform(_ command: RunCommand, after seconds: Double) throws {
    let status = status(after: seconds)
    clock.advance(by: status.reading.boot - clock.now().boot)
    state = try status.run == nil ? nil : status.applying(command)
  }
}
