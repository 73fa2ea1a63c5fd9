import SequenceNotifications

// A separate program that runs a sequence in its own process. It shows the notifications under its own name, prints the
// events, and then the result of each step.
//
//     embedding STATE-DIRECTORY

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("name a state directory") }
let directory = StateDirectory(path: path, database: "tea.db")

let notifier = try RunNotifier(
  in: directory,
  application: NotifyingApplication(name: "Tea", desktopEntry: "tea", icon: "appointment-soon"),
  adapt: { notification in
    var request = notification.request
    // The other kinds, such as the goal of a step or a pause, keep their texts.
    if notification.kind == .stepEnd, let step = notification.step {
      request.summary = "Now: \(step.card.title)"
    }
    if notification.kind == .runEnd { request.summary = "Your tea is ready" }
    return request
  },
  onFailure: { print("notifications fail: \($0)") })
let store = notifier.store

let begin = try store.eventPosition()
let tea = SequenceDefinition("Tea") {
  Card("Pour", .countdown(.milliseconds(200)))
  Card("Steep", .countdown(.milliseconds(500)))
}
let run = try store.start(Timeline(tea), replacing: true).run

// Read once, by value: everything about this moment comes from this one status.
if let position = try store.status().position {
  print("\(position.step.card.title): \(position.remaining ?? .zero) left in step \(position.step.number)")
}
try store.perform(.extend(.seconds(1)))

events: for try await batch in store.events(after: begin) {
  for (run, event) in batch.events {
    if case .ended = event.kind { break events }
    print("\(event.kind.name.rawValue): \(run.timeline.card(at: event.step).title)")
  }
}

if let run, let ended = try store.endedRun(id: run.runID) {
  for record in ended.records {
    print(
      "\(run.timeline.card(at: record.index).title): \(record.outcome), \(record.actual) of \(record.planned ?? .zero)"
    )
  }
}

// The notification of the end stays on screen after the program has ended.
await notifier.shutdown()
