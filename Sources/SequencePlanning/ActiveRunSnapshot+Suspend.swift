package import NotifierLedger
package import SequencePlatform
import SequencePresentation
package import SequenceRunner

extension ActiveRunSnapshot {
  /// Returns the notification that the run waits after a suspend; `nil` if it does not.
  package func returnRequest(at reading: ClockReading) -> NotificationRequest? {
    guard let suspend, let length = suspend.length else { return nil }
    let step = timeline.step(at: log.count)
    let title = NotificationText.words(step.card.title)
    let isAsking = policy(for: suspend.cause) == .ask
    return request(
      .paused(sequence: sequence.id), .return, of: step.index,
      summary: isAsking ? "\(title) is paused. Count that time?" : "\(title) is paused",
      body: [suspend.cause.text(length)] + timeLeft(at: reading) + [place(of: step)],
      buttons: isAsking ? [.resume, .count] : [.resume], due: reading)
  }
}
