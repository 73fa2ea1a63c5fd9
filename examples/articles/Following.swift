import FoundationEssentials
import Glibc
import SequenceRunner

/// A display, a log and an event loop that follow a run.
struct Following {
  let store: RunStore
  let timeline: Timeline

  func run() async throws {
    try store.start(timeline)
    let begin = try JSONEncoder().encode(store.eventPosition())
    try await display()
    let saved = try await log(after: begin)
    try store.start(timeline)
    try store.perform(.stop)
    _ = try await log(after: saved)

    try store.start(timeline)
    try loop()
  }

  func display() async throws {
    for try await status in store.statuses() {
      guard let position = status.position else { break }
      print("now \(position.step.card.title)")

      // The user is done with the step.
      if position.step.index < 2 { try store.perform(.next) } else { try store.perform(.stop) }
    }
  }

  func log(after saved: Data) async throws -> Data {
    var position = try JSONDecoder().decode(EventPosition.self, from: saved)

    for try await batch in store.events(after: position, marks: [.seconds(10)]) {
      for (run, event) in batch.events {
        let title = run.timeline.card(at: event.step).title
        print("\(event.kind.name.rawValue): \(title), \(DurationText.format(event.target ?? .zero))")
      }
      position = batch.end
      // Save the position here, together with the effects of the events.

      if batch.events.last?.event.kind.name == .stop { break }
    }

    let past = try store.pastEvents(after: position)
    for (_, event) in past.events { print("\(event.at.wall): \(event.kind.name.rawValue)") }
    position = past.end
    return try JSONEncoder().encode(position)
  }

  func keepADiary() async throws {
    try await store.handleEvents(as: "diary") { batch in
      for (_, event) in batch.events { print(event.kind.name.rawValue) }
    }
  }

  func loop() throws {
    let watch = try RunWatch(store)
    var entry = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&entry, 1, -1) == 1 {
      // The callback of an event loop does this much.
      guard let status = try watch.take() else { continue }
      guard let run = status.run else { break }
      print("\(run.card.title), paused: \(run.isPaused)")
      try store.perform(run.isPaused ? .stop : .pause)
    }
  }
}
