import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The status as text.
enum StatusText {
  static func line(_ status: RunStatus) -> String {
    guard let view = RunView(status) else { return "idle" }
    let next = view.next.map { ", next: \(quote($0.title))" } ?? ""
    let end = view.end.map { ", until \($0)" } ?? ""
    let why = view.suspend.map { "; \(SuspendText.line($0))" } ?? ""
    return "\(view.position.state.rawValue): \(view.line) of \(quote(view.sequence))\(next)\(end)\(why)"
  }

  /// A key that changes exactly if the line or the run does.
  static func key(_ status: RunStatus) -> String {
    guard let run = status.run else { return "" }
    return "\(run.runID) \(run.log.count) \(run.current.startedAt.microseconds) \(line(status))"
  }
}
