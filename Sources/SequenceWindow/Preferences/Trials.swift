import SequenceClient
import SequencePlatform

/// The buttons that play a sound, speak, or show a notification, one at a time.
final class Trials {
  private let context: ClientContext
  private let trial: CueTrial
  private let speak: Button
  private let noSounds: ActionRow
  private let noSpeech: ActionRow
  /// Whether one of them hasn't ended yet.
  private var isBusy = false
  var onProblem: (Message) -> Void = { _ in }

  init(_ interface: Interface, _ context: ClientContext) throws {
    self.context = context
    trial = CueTrial(environment: context.environment, clock: context.clock)
    speak = try interface.object("try_speech")
    noSounds = try interface.object("no_sounds")
    noSpeech = try interface.object("no_speech")
    speak.onClicked { [weak self] in self?.speakText() }
    let test: Button = try interface.object("test")
    test.onClicked { [weak self] in self?.showNotification() }
    refresh()
  }

  /// Looks for the programs that sounds and speech need.
  func refresh() {
    let hasSpeech = CueTrial.speechProgram(context.environment) != nil
    speak.isSensitive = hasSpeech
    noSpeech.isVisible = !hasSpeech
    // A program that can't be looked for is reported when it is used.
    noSounds.isVisible = (try? CueTrial.soundProgram()) == .some(nil)
  }

  /// Plays a sound.
  func play(_ name: String, volume: Int) {
    let trial = trial
    run(translated("The Sound Can’t Be Played")) { try trial.play(name, volume: volume) }
  }

  private func speakText() {
    let trial = trial
    let text = translated("Half-time. Next: Rest")
    run(translated("The Text Can’t Be Spoken")) { try trial.speak(text) }
  }

  private func showNotification() {
    let doctor = Doctor(environment: context.environment, clock: context.clock)
    run(translated("The Notification Isn’t Seen")) { try doctor.showTestNotification() }
  }

  /// Does something on a thread of its own, and reports its problem below a heading.
  private func run(_ heading: String, _ act: @escaping @Sendable () throws -> Explanation?) {
    guard !isBusy else { return }
    isBusy = true
    Background.run("trial") {
      Result { try act() }
    } then: { [weak self] result in
      guard let self else { return }
      isBusy = false
      let problem: Explanation? =
        switch result {
        case .success(let problem): problem
        case .failure(let error): Explanation(error)
        }
      if let problem { onProblem(Message(heading, Message.sentences(problem.problem, problem.remedy))) }
    }
  }
}
