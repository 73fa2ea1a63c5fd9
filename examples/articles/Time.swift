import FoundationEssentials
import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceStore

/// The position of a run after time passes, clocks are set and the computer reboots.
struct Time {
  let directory: StateDirectory

  func run() throws {
    let timeline = try Timeline(
      SequenceDefinition("Intervals") {
        Group(8) {
          Card("Work", .countdown(.seconds(20)))
          Card("Rest", .countdown(.seconds(10)))
        }
      })
    derive(timeline)
    try test(timeline)
  }

  func derive(_ timeline: Timeline) {
    let start = ClockReading(
      wall: Moment(Date(timeIntervalSince1970: 1_800_000_000)), boot: .seconds(500), bootID: "Tuesday")
    let run = ActiveRunSnapshot(timeline: timeline, at: start)

    func report(at reading: ClockReading) {
      if let position = run.position(at: reading) {
        print("\(position.step.card.title), \(DurationText.shown(position.elapsed)) of it")
      } else if let ended = run.ended(at: reading) {
        print("\(ended.outcome) at \(ended.endedAt)")
      }
    }

    report(at: start.advanced(by: .seconds(25)))

    let anHourAhead = start.wall.advanced(by: .seconds(3625))
    report(at: ClockReading(wall: anHourAhead, boot: start.boot + .seconds(25), bootID: start.bootID))

    let restarted = start.wall.advanced(by: .seconds(100))
    report(at: ClockReading(wall: restarted, boot: .seconds(12), bootID: "Wednesday"))

    report(at: start.advanced(by: .seconds(86_400)))
  }

  func test(_ timeline: Timeline) throws {
    let clock = ManualClock(wall: try SystemClock().now().wall)
    let store = try RunStore(in: directory, clock: clock)
    try store.start(timeline)

    clock.advance(by: .seconds(8 * 30 - 1))
    let status = try store.status()
    print("one second left: \(status.position?.totalRemaining == .seconds(1))")

    clock.advance(by: .seconds(1))
    print("over: \(try store.status().run == nil), \(try store.history().first?.outcome == .finished)")
  }
}
