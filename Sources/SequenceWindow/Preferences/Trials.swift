import SequenceClient
import SequenceConfiguration
import SequencePlatform
import SequenceRunner

/// Plays sounds, speaks texts, and shows notifications for a user of a window who asks for them, one at a time.
final class Trials {
  private let context: ClientContext
  private let trial: CueTrial
  private var isBusy = false
  var onProblem: (Message) -> Void = { _ in }

  init(_ context: ClientContext) {
    self.context = context
    trial = CueTrial(environment: context.environment, clock: context.clock)
  }

  var hasSpeech: Bool { CueTrial.speechProgram(context.environment) != nil }

  /// Whether the program that plays sounds is known to be missing; a failed search is reported when the program is used.
  var lacksSounds: Bool {
    do throws(SystemError) { return try CueTrial.soundProgram() == nil } catch { return false }
  }

  func play(_ name: String, volume: Int) {
    let trial = trial
    run(translated("The Sound Can’t Be Played")) { try trial.play(name, volume: volume) }
  }

  /// Plays the sound even if sounds are off, and speaks the title if titles are spoken; returns whether there is
  /// either.
  func play(_ card: Card, _ configuration: Configuration) -> Bool {
    let cues = configuration.cues
    let (sound, words) = (cues.startSound(of: card), cues.speech ? card.title : nil)
    guard sound != nil || words != nil else { return false }
    let (trial, volume) = (trial, cues.volume)
    run(translated("The Card Can’t Be Heard")) {
      let silence = try sound.flatMap { try trial.play($0, volume: volume) }
      let muteness = try words.flatMap(trial.speak)
      return silence ?? muteness
    }
    return true
  }

  func speakExample() {
    let trial = trial
    let text = translated("Half-time. Next: Rest")
    run(translated("The Text Can’t Be Spoken")) { try trial.speak(text) }
  }

  func showNotification() {
    let doctor = Doctor(environment: context.environment, clock: context.clock)
    run(translated("The Notification Isn’t Seen")) { try doctor.showTestNotification() }
  }

  private func run(_ heading: String, _ act: @escaping @Sendable () throws -> Problem?) {
    guard !isBusy else { return }
    isBusy = true
    Background.run("trial") {
      Result { try act() }
    } then: { [weak self] result in
      guard let self else { return }
      isBusy = false
      let problem: Problem? =
        switch result {
        case .success(let problem): problem
        case .failure(let error): explained(error)
        }
      if let problem { onProblem(Message(heading, Message.sentences(problem))) }
    }
  }
}
