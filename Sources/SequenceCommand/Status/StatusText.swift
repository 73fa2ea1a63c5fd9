import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The status as text.
enum StatusText {
  static func line(_ status: RunStatus) -> String {
    guard let run = status.run, let position = status.position else { return "idle" }
    let next = position.next.map { ", next: \(quote($0.card.title))" } ?? ""
    let end = EndText.run(run, position, at: status.reading.wall).map { ", until \($0)" } ?? ""
    let why = run.suspend.map { "; \(SuspendText.line($0))" } ?? ""
    return
      "\(position.state.rawValue): \(StepText.line(position)) of \(quote(run.sequence.title))\(next)\(end)\(why)"
  }

  /// A key that changes exactly if the line or the run does.
  static func key(_ status: RunStatus) -> String {
    guard let run = status.run else { return "" }
    return "\(run.runID) \(run.log.count) \(run.current.startedAt.microseconds) \(line(status))"
  }
}
