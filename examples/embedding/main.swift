import NotificationLedger
import Platform
import SequenceAgent
import SequenceFiles
import SequencePlanning
import SequenceRunner
import Store

// A separate program that runs a sequence. It starts a run in a state directory, delivers the notifications
// itself until none is pending, and prints the result of each step.
//
//     embedding STATE-DIRECTORY

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("name a state directory") }
let directory = StateDirectory(path: path)
let store = try RunStore.withNotifications(in: directory)

let parsed = try SequenceFile.parse(
  Array(
    """
    title: Tea
    cards:
      - { title: Pour, countdown: 0.2s }
      - { title: Steep, countdown: 0.5s }
    """.utf8))
let run = try store.start(parsed.timeline, replacing: true).run

// Read once, by value: everything about this moment comes from this one status.
if let position = try store.settle().position {
  print("\(position.step.card.title): \(position.remaining ?? .zero) left in step \(position.step.number)")
}
_ = try store.perform(.extend(.seconds(1)))

// The agent waits and delivers in this thread. It ends when no notification is pending or visible.
let ending = try Agent(directory: directory).run()

if let run, let ended = try store.endedRun(id: run.runID) {
  for record in ended.records {
    print(
      "\(run.timeline.card(at: record.index).title): \(record.outcome), \(record.actual) of \(record.planned ?? .zero)"
    )
  }
  print("\(ended.outcome), \(ending)")
}
