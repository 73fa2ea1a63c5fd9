import Foundation
import TestSupport

/// The comparison of the programs' output with the model.
extension PairTrial {
  func number(_ step: [String: Any]) -> Int? {
    (step[PairTerms.stepNumber] as? Int).map { $0 - PairTerms.firstStep }
  }

  func checkCheck() throws {
    // Derived ids are taken from the file as written.
    let written = try json("check", tool.directory.path + "/pairs.yaml").document
    let steps = written["steps"] as? [[String: Any]] ?? []
    identifiers[0] = written["id"] as? String
    for (step, found) in zip(PairElement.steps(scenario.written), steps) {
      identifiers[step.card.number] = (found["card"] as? [String: Any])?["id"] as? String
    }
    if scenario.identifiers == .given {
      expect(
        identifiers[0] == PairScenario.sequenceID, "the id of the sequence is \(identifiers[0] ?? "none")")
    }
    let input = scenario.source == .standardInput ? scenario.text : nil
    let (output, _) = try run(["check"] + source + ["--json"], input: input)
    let found = try document(output)["steps"] as? [[String: Any]] ?? []
    let model = PairElement.steps(scenario.chosen)
    let count = model.endlessAfter ?? model.count
    expect(found.count == count, "check has \(found.count) steps, and not \(count)")
    for (step, document) in zip(model, found) { compare(document, step, "check") }
  }

  /// Compares a step of a document with its card and its rounds.
  func compare(_ document: [String: Any], _ step: PairStep, _ place: String) {
    let card = document["card"] as? [String: Any] ?? [:]
    expect(
      card["title"] as? String == step.card.title, "\(place): the card is \(card), and not \(step.card.title)"
    )
    let isCountUp =
      switch step.card.timing {
      case .automatic, .manual: false;
      case .goal, .open: true
      }
    expect(card["kind"] as? String == (isCountUp ? "countup" : "countdown"), "\(place): the kind of \(card)")
    if let id = identifiers[step.card.number] {
      expect(card["id"] as? String == id, "\(place): the id of \(card)")
    }
    let rounds = (document["rounds"] as? [[String: Int]] ?? []).map { [$0["round"] ?? 0, $0["of"] ?? 0] }
    expect(rounds == step.rounds, "\(place): the rounds are \(rounds), and not \(step.rounds)")
  }

  func check() throws {
    let (status, at) = try json("status")
    compare(status, at: at, "status")
    try checkNotifications()
  }

  func compare(_ document: [String: Any], at now: PairSpan, _ place: String) {
    guard let run = model.run else {
      // The answer of a command is about its own run.
      if company.isActive, place == "status" {
        let name = (document["run"] as? [String: Any])?["name"] as? String
        return expect(name == "tea", "\(place): \(name ?? "nothing") besides")
      }
      return expect(
        document["state"] as? String == "idle", "\(place): \(document["state"] ?? "") without a run")
    }
    let step = document["step"] as? [String: Any] ?? [:]
    expect(number(step) == run.index, "\(place): at step \(number(step) ?? -1), and not \(run.index)")
    expect(
      step["count"] as? Int == (run.steps.endlessAfter == nil ? run.steps.count : nil),
      "\(place): \(step["count"] ?? "no") steps, and not \(run.steps.count)")
    compare(step, run.step, place)
    let elapsed = run.elapsed(at: now)
    let shown = step["elapsed"] as? Double ?? -1
    expect(elapsed.contains(shown), "\(place): \(shown) s elapsed, and not \(elapsed)")
    let isOver = run.target.map { shown >= $0.from - 0.001 } ?? false
    let state = run.isPaused ? "paused" : isOver ? "overtime" : "running"
    expect(document["state"] as? String == state, "\(place): \(document["state"] ?? ""), and not \(state)")

    let isCountUp =
      switch run.step.card.timing {
      case .automatic, .manual: false;
      case .goal, .open: true
      }
    let target = step[isCountUp ? "goal" : "duration"] as? Double
    expect(step[isCountUp ? "duration" : "goal"] == nil, "\(place): a duration and a goal")
    switch (run.target, target) {
    case (let expected?, let found?):
      expect(expected.contains(found), "\(place): \(found) s long, and not \(expected)")
      let remaining = step["remaining"] as? Double
      let left = isCountUp ? nil : max(0, found - shown)
      expect(near(remaining, left), "\(place): \(remaining ?? -1) s are left, and not \(left ?? -1)")
    case (nil, nil): break
    default: differ("\(place): the target is \(target ?? -1), and not \(String(describing: run.target))")
    }
    let next = document["next"] as? [String: Any]
    let expectedNext = run.index + 1 < run.steps.count ? run.steps[run.index + 1].card.title : nil
    expect(next?["title"] as? String == expectedNext, "\(place): next is \(next ?? [:])")
    let suspend = document[PairTerms.suspend] as? [String: Any]
    expect((suspend != nil) == (run.suspend != nil), "\(place): \(suspend ?? [:]) of a suspend")
    expect(
      (suspend?["length"] != nil) == (run.suspend?.isBack ?? false), "\(place): \(suspend ?? [:]) of a return"
    )
    compareTotals(document["total"] as? [String: Any] ?? [:], run, at: now, shown, target, place)
  }

  func compareTotals(
    _ total: [String: Any], _ run: PairModel.Run, at now: PairSpan, _ shown: Double, _ target: Double?,
    _ place: String
  ) {
    let rest = run.steps.dropFirst(run.index + 1).map(\.card.timing)
    let lengths = rest.compactMap { timing -> Double? in
      switch timing {
      case .automatic(let seconds), .manual(let seconds): seconds
      case .goal, .open: nil
      }
    }
    let isCountUp =
      switch run.step.card.timing {
      case .automatic, .manual: false;
      case .goal, .open: true
      }
    let left =
      isCountUp || lengths.count < rest.count || run.steps.endlessAfter != nil
      ? nil : target.map { max(0, $0 - shown) + lengths.reduce(0, +) }
    expect(near(total["remaining"] as? Double, left), "\(place): \(total) in all, and not \(left ?? -1) left")
    let elapsed = total["elapsed"] as? Double ?? -1
    let active = run.active + run.elapsed(at: now)
    expect(active.contains(elapsed), "\(place): \(elapsed) s in all, and not \(active)")
  }

  func near(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= 0.002
  }

  /// Compares the pending notifications and their times with the model's plan.
  func checkNotifications() throws {
    let (document, at) = try json("notifications", "list")
    let all = document["notifications"] as? [[String: Any]] ?? []
    var pending: [String: Double] = [:]
    for entry in all where entry["state"] as? String == "pending" {
      guard let name = entry["identifier"] as? String, let text = entry["due"] as? String,
        let due = try? Date(text, strategy: .iso8601WithMilliseconds)
      else {
        differ("notifications: \(entry)")
        continue
      }
      pending[name] = due.timeIntervalSince1970
    }
    if company.isActive {
      let own = pending.keys.filter { id in
        all.contains { $0["identifier"] as? String == id && $0["summary"] as? String == "Tea is finished" }
      }
      // The policy of the configuration is that of the timer, too.
      if !scenario.isAboutSuspend {
        expect(own.count == (company.isPlanned ? 1 : 0), "notifications: \(own) of the timer")
      }
      for id in own { pending[id] = nil }
    }
    let plan = model.plan(at: at)
    let ids = identifiers
    for (name, due) in plan {
      let parts = name.split(separator: ".").map(String.init)
      guard
        let sequence = model.run.flatMap({ $0.steps.first?.card.number }).flatMap({ $0 > 7 ? nil : ids[0] })
      else { continue }
      var full = "sequence.\(sequence)." + name
      if parts[0] == "card", let number = Int(parts[1]), let id = ids[number] {
        full = "sequence.\(sequence).card.\(id)" + parts.dropFirst(2).map { "." + $0 }.joined()
      }
      guard let found = pending.removeValue(forKey: full) else {
        differ("notifications: nothing of \(name) is pending; there is \(Set(pending.keys).sorted())")
        continue
      }
      let expected = at + due
      expect(expected.contains(found), "notifications: \(name) is due at \(found), and not in \(expected)")
    }
    // The ids in a run of `--card` are unknown, but their number is known.
    if let first = model.run?.steps.first, first.card.number > 7 {
      expect(
        pending.count == plan.count, "notifications: \(pending.count) are pending, and not \(plan.count)")
    } else {
      // A notification that is due right now may not have been handled yet.
      let left = pending.filter { $0.value > at.to }
      expect(left.isEmpty, "notifications: pending and not planned: \(left)")
    }
  }

  func checkCompany() throws {
    guard company.isActive else { return }
    let document = try json("status", "tea").document
    let step = document["step"] as? [String: Any]
    expect(step?["duration"] as? Double == 7200, "the timer besides is \(document)")
    guard !scenario.isAboutSuspend else { return }
    expect(document["state"] as? String == "running", "the timer besides is \(document["state"] ?? "")")
  }

  func checkHistory() throws {
    let runs = try json("history").document["runs"] as? [[String: Any]] ?? []
    expect(runs.count == model.history.count, "history: \(runs.count) runs, and not \(model.history.count)")
    for (run, expected) in zip(runs, model.history) {
      expect(
        run["outcome"] as? String == expected.ending.rawValue,
        "history: \(run["outcome"] ?? ""), and not \(expected.ending)")
      let steps = run["steps"] as? [[String: Any]] ?? []
      expect(
        steps.count == expected.records.count,
        "history: \(steps.count) steps, and not \(expected.records.count)")
      for (step, record) in zip(steps, expected.records) {
        compare(step, expected.steps[record.index], "history")
        expect(
          step["outcome"] as? String == (record.isCompleted ? "completed" : "skipped"),
          "history: step \(record.index) was \(step["outcome"] ?? "")")
        let planned = step["planned"] as? Double
        if record.planned?.isNaN != true {
          expect(
            near(planned, record.planned),
            "history: planned \(planned ?? -1), and not \(record.planned ?? -1)")
        }
        let (from, to) = (step["startedAt"] as? String ?? "", step["endedAt"] as? String ?? "")
        expect(!from.isEmpty && from <= to, "history: from \(from) to \(to)")
      }
      let active = run["active"] as? Double ?? -1
      expect(expected.active.contains(active), "history: \(active) s active, and not \(expected.active)")
    }
  }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  fileprivate static var iso8601WithMilliseconds: Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  }
}
