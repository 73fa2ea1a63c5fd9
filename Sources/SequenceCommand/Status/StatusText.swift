import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The status as text.
enum StatusText {
  /// A line for each active run, the one of the status first.
  ///
  /// The lines of several runs begin with their names.
  static func lines(_ status: RunStatus) -> String {
    guard status.runs.count > 1 else { return line(status) }
    let others = status.runs.filter { $0.runID != status.run?.runID }.map { status.status(of: $0.runID) }
    return ([status] + others).map { status in
      (status.run.map { "\($0.name): " } ?? "") + line(status)
    }.joined(separator: "\n")
  }

  static func line(_ status: RunStatus) -> String {
    guard let view = RunView(status) else { return "idle" }
    let next = view.next.map { ", next: \(quote($0.title))" } ?? ""
    let end = view.end.map { ", until \($0)" } ?? ""
    let why = view.suspend.map { "; \(SuspendText.line($0))" } ?? ""
    return "\(view.position.state.rawValue): \(view.line) of \(quote(view.sequence))\(next)\(end)\(why)"
  }

  /// A key that changes exactly if the lines or the runs do.
  static func key(_ status: RunStatus) -> String {
    let runs = status.runs.map { "\($0.runID) \($0.log.count) \($0.current.startedAt.microseconds)" }
    return runs.joined(separator: " ") + lines(status)
  }
}
