import Foundation
import SequenceRunner

/// The state of the run as printed by a command, or as derived from a store.
struct Answer: Hashable, CustomStringConvertible {
  var state = "idle"
  var run: String?
  var index: Int?
  /// The duration of the step in milliseconds.
  var duration: Int?

  init(_ text: String) throws {
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let object = value as? [String: Any], let state = object["state"] as? String else {
      throw Violation("\"\(text)\" is no status")
    }
    self.state = state
    run = (object["run"] as? [String: Any])?["id"] as? String
    let step = object["step"] as? [String: Any]
    index = (step?["number"] as? Int).map { $0 - 1 }
    duration = (step?["duration"] as? NSNumber).map { Int(($0.doubleValue * 1000).rounded()) }
  }

  /// Derives the answer from a stored state in which no step is over.
  init(_ stored: StoredState) {
    guard let run = stored.run ?? stored.other else { return }
    state = run.isPaused ? "paused" : "running"
    self.run = run.runID.uuidString
    index = run.log.count
    duration = run.target.map { Int(($0 / .milliseconds(1)).rounded()) }
  }

  var description: String {
    "\(state) \(run ?? "no run") step \(index.map(String.init) ?? "-") of \(duration.map { "\($0) ms" } ?? "-")"
  }
}
