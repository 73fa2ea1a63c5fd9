import FoundationEssentials
import Glibc
import SequenceFiles
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport

// Writes the history of some days, always the same, for a screenshot of the statistics.
//
//     write-history STATE-DIRECTORY [RUNS]
//
// With a number, it is a history of so many runs in the last five years.

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("name a state directory") }

/// A past run: its title, its cards, the rounds, its start, and the time after which it was stopped.
struct PastRun {
  let title: String
  let cards: [String]
  let rounds: Int
  let hour: Int
  var stoppedAfter: Duration?

  static let tabata = PastRun(title: "Tabata", cards: ["Work 20s", "Rest 10s"], rounds: 8, hour: 7)
  static let morning = PastRun(
    title: "Morning routine", cards: ["Stretch 6m", "Shower 8m", "Breakfast 15m"], rounds: 1, hour: 8)
  static let pomodoros = PastRun(title: "Pomodoros", cards: ["Focus 25m", "Break 5m"], rounds: 4, hour: 9)
  static let evening = PastRun(
    title: "Pomodoros", cards: ["Focus 25m", "Break 5m"], rounds: 4, hour: 19, stoppedAfter: .seconds(70 * 60)
  )
}

/// Two weeks, from Saturday, 2026-11-07, to Friday.
let days: [[PastRun]] = [
  [.morning], [], [.tabata, .morning, .pomodoros], [.tabata, .pomodoros], [.morning, .pomodoros, .evening],
  [.tabata, .morning, .pomodoros], [.pomodoros], [.tabata, .morning], [],
  [.morning, .pomodoros], [.tabata, .morning, .pomodoros], [.pomodoros, .evening],
  [.tabata, .morning, .pomodoros, .evening], [.tabata, .morning, .pomodoros],
]
let firstDay = Moment(microseconds: 1_794_009_600_000_000)

if let count = CommandLine.arguments.dropFirst(2).first.flatMap({ Int($0) }) {
  let clock = try SystemClock()
  try LongHistory.write(
    count, to: RunStore(in: StateDirectory(path: path), clock: clock),
    over: .seconds(5 * 365 * 86_400),
    until: clock.now().wall)
  exit(0)
}

let clock = ManualClock(wall: firstDay)
let store = try RunStore(in: StateDirectory(path: path), clock: clock)
for (day, runs) in days.enumerated() {
  for run in runs {
    let start = firstDay.advanced(by: .seconds(day * 86_400 + run.hour * 3600))
    clock.advance(by: start.duration(since: clock.now().wall))
    let timeline = try CardSpec.sequence(cards: run.cards, rounds: .times(run.rounds), title: run.title)
    _ = try store.start(timeline)
    clock.advance(by: run.stoppedAfter ?? timeline.duration(of: 0..<timeline.listedCount))
    if run.stoppedAfter != nil { _ = try store.perform(.stop) }
    _ = try store.settle()
  }
}
