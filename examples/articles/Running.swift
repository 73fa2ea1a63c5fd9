import SequencePlatform
import SequenceRunner
import SequenceStore

/// A run from its start to the history.
struct Running {
  let directory: StateDirectory
  let timeline: Timeline

  func run() throws {
    let store = try RunStore(in: directory)
    let started = try store.start(timeline)

    do {
      try store.start(timeline)
    } catch RunError.sequenceActive(let title) {
      print("\(title) is running; stop it first, or start with replacing: true")
    }

    try show(store)
    try brew(Timeline(SequenceDefinition("Tea") { Card("Tea", .countdown(.seconds(240))) }), beside: store)
    try steer(store)
    try finish(store)
    if let run = started.run, let ended = try store.endedRun(id: run.runID) { report(ended) }
  }

  func show(_ store: RunStore) throws {
    let status = try store.status()
    guard let position = status.position else {
      print("nothing is running")
      return
    }
    // An endless sequence has no number of steps.
    let count = position.stepCount.map { " of \($0)" } ?? ""
    print("\(position.step.card.title), step \(position.step.number)\(count)")
    if let next = position.next { print("then \(next.card.title)") }
    switch position.state {
    case .running: print("running")
    case .paused: print("paused at \(DurationText.shown(position.elapsed))")
    case .overtime: print("overtime: \(DurationText.shown(position.overtime))")
    }
  }

  func steer(_ store: RunStore) throws {
    try store.perform(.next)
    try store.perform(.extend(.seconds(30)))

    do {
      try store.perform(.skip, onStep: 0)
    } catch RunError.stepPassed(_, let current) {
      print("too late: the run is at step \(current + 1)")
    }
  }

  func brew(_ tea: Timeline, beside store: RunStore) throws {
    let started = try store.start(tea, timer: true, name: "tea")
    for status in try store.runs() {
      guard let run = status.run else { continue }
      print("\(run.name): \(run.card.title)")
    }
    guard let id = started.run?.runID else { return }
    try store.perform(.extend(.seconds(60)), on: id)
    if let run = try store.status(of: id).run { print("\(run.name) is active") }
    try store.perform(.stop, on: id)
  }

  func finish(_ store: RunStore) throws {
    var status = try store.perform(.next)
    while let run = status.run {
      print("on to \(run.card.title)", terminator: "; ")
      status = try store.perform(.next)
    }
    print("done")
  }

  func report(_ ended: EndedRun) {
    let skipped = ended.records.count { $0.outcome == .skipped }
    print("\(ended.outcome): \(ended.records.count) steps, \(skipped) skipped")
    for record in ended.records.prefix(2) {
      let title = ended.snapshot.timeline.card(at: record.index).title
      print("\(title), planned: \(record.planned.map(DurationText.format) ?? "until it is done")")
    }
  }
}
