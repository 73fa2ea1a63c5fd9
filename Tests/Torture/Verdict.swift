import Foundation
import SequenceClient
import SequenceRunner
import TestSupport

/// The judgement of a command after a fault.
///
/// Acknowledged changes are present, unrequested changes are absent, and refused changes are not half done.
enum Verdict {
  /// The exit statuses of failures that are not the user's.
  static let failures: Set<Int32> = [74, 75]

  /// Returns the state after the command.
  ///
  /// - Parameter mayDie: whether a signal may have ended it.
  @discardableResult
  static func judge(
    _ deed: Deed, _ output: ChildProcess.Output, from before: StoredState, in bench: Bench,
    mayDie: Bool = false,
    _ tally: Tally
  ) throws -> StoredState {
    if output.status >= 128 { try StoredState.completeCommits(bench.state) }
    let after = try StoredState.read(bench.state)
    let isUntouched = after.isSame(as: before)
    switch output.status {
    case 0:
      if let fault = deed.fault(from: before, to: after) { throw Violation("acknowledged, but \(fault)") }
      try compare(deed, answer: output.text, with: after)
    case 1:
      guard deed.isRefused(in: before), isUntouched else {
        throw Violation("\(deed) is refused with 1 at \(before.text): \(output.errors)")
      }
    case 128...:
      guard mayDie else { throw Violation("\(deed) died of signal \(output.status - 128): \(output.errors)") }
    case 74, 75: break
    default: throw Violation("\(deed) exits with \(output.status): \(output.errors)")
    }
    if output.status != 0, let fault = deed.fault(from: before, to: after), !isUntouched {
      throw Violation("neither done nor left: \(fault)")
    }
    if failures.contains(output.status) { try hear(deed, output, isUntouched: isUntouched) }
    tally.count(name(output.status, isDone: !isUntouched))
    return after
  }

  /// Checks that a failing command prints one line with the reason.
  private static func hear(_ deed: Deed, _ output: ChildProcess.Output, isUntouched: Bool) throws {
    guard output.errors.split(separator: "\n").last?.hasPrefix("sequence: ") == true else {
      throw Violation("\(deed) exits with \(output.status) and says \"\(output.errors)\"")
    }
    guard isUntouched || !output.errors.contains("nothing was changed") else {
      throw Violation("\(deed) was done, but says \(output.errors)")
    }
  }

  private static func compare(_ deed: Deed, answer: String, with state: StoredState) throws {
    guard ![.clear, .schedule, .unschedule].contains(deed) else { return }
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let run = object?["run"] as? [String: Any]
    // The answer of a command is about its own run.
    let meant = state.run ?? (deed == .status ? state.other : nil)
    let expected = meant == nil ? "idle" : meant?.isPaused == true ? "paused" : "running"
    guard run?["id"] as? String == meant?.runID.uuidString, object?["state"] as? String == expected else {
      throw Violation("\(deed) answers \(answer), but the store has \(state.text)")
    }
  }

  private static func name(_ status: Int32, isDone: Bool) -> String {
    switch status {
    case 0: "done"
    case 1: "refused as nothing to act on"
    case 128...: isDone ? "killed, done" : "killed, not done"
    default: "exit \(status), " + (isDone ? "done" : "not done")
    }
  }

  /// Checks that the next commands work without a fault: the status shows the stored run, and a change
  /// succeeds.
  ///
  /// - Parameter withStatus: whether to run `status` too; the answer to the change contains the same.
  static func confirm(_ state: StoredState, in bench: Bench, withStatus: Bool = true) throws {
    for deed in (withStatus ? [Deed.status] : []) + [state.run == nil ? .start : .extend] {
      let output = try bench.run(deed.words)
      guard output.status == 0 else {
        throw Violation("afterwards \(deed) exits with \(output.status): \(output.errors)")
      }
      let after = try StoredState.read(bench.state)
      if let fault = deed.fault(from: state, to: after) { throw Violation("afterwards: \(fault)") }
      try compare(deed, answer: output.text, with: after)
    }
  }
}
