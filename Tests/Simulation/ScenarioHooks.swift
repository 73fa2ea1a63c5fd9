package struct ScenarioHooks: Equatable, Sendable {
  package var hooks: [ScenarioHook] = []
  package var sound = false
  package var speech = false
  /// The number of last seconds that are counted.
  package var counted = 3
}

/// A hook, which keeps its program when its events change.
package struct ScenarioHook: Equatable, Sendable {
  package let program: Int
  /// The names of the events, in the order of their names.
  package let events: [String]
  /// The remaining seconds of a countdown at its `remaining` event.
  package let remaining: Int

  package static let allEvents = [
    "extend", "goal", "half", "remaining", "overtime", "pause", "reminder", "resume", "return", "run-end",
    "run-start", "step-end", "step-start", "stop",
  ]
}

extension ScenarioHooks: CustomStringConvertible {
  package var description: String {
    let cues = [sound ? "sound" : nil, speech ? "speech" : nil].compactMap { $0 }
    return
      (hooks.map { "\($0.program):\($0.events.joined(separator: ",")):\($0.remaining)" } + cues
      + (cues.isEmpty ? [] : ["\(counted)"])).joined(separator: " ")
  }

  init?(_ words: ArraySlice<String>) {
    for word in words {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      switch (word, Int(word)) {
      case ("sound", _): sound = true
      case ("speech", _): speech = true
      case (_, let number?): counted = number
      default:
        guard parts.count == 3, let program = Int(parts[0]), let remaining = Int(parts[2]) else { return nil }
        let events = parts[1].split(separator: ",").map(String.init)
        guard events.allSatisfy(ScenarioHook.allEvents.contains) else { return nil }
        hooks.append(ScenarioHook(program: program, events: events, remaining: remaining))
      }
    }
  }
}
