import FoundationEssentials
import Glibc
import NotifierLedger
import SequencePlatform
import SequencePresentation
import SequenceConfiguration
import SequenceRunner

/// Plays the cues of runs: sounds with a program that gets them ahead of time, words with `spd-say`.
final class CueDirector {
  private let hooks: HookRunner
  private let soundProgram: String?
  private var sounds: SoundProcess?
  /// The sounds that were sent to the sound program, with their times on the boot clock.
  private var scheduled: [ScheduledSound] = []
  /// The run whose sounds could not be played; the next run tries again.
  private var silentRun: UUID?
  private(set) var problems: [(name: String, problem: HookProblem)] = []

  private struct ScheduledSound: Equatable {
    let event: RunEvent
    let sound: CueSound
  }

  /// The program that says words, one after the other: `--wait` ends with the word.
  static let speech = Hook(
    events: [], program: "spd-say",
    arguments: ["--application-name", "sequence", "--priority", "message", "--wait", "--"].map {
      Template(plain: $0)
    }, timeout: .seconds(30))

  /// - Parameter soundProgram: the path of the program that plays sounds; `nil` if it is not installed.
  init(_ hooks: HookRunner, soundProgram: String?) {
    self.hooks = hooks
    self.soundProgram = soundProgram
  }

  var descriptors: [Int32] { sounds.map { [$0.descriptor] } ?? [] }
  var isAtRest: Bool { sounds == nil && problems.isEmpty }

  /// Collects processes that have ended.
  func tend(_ ready: [Int32], in run: UUID?) {
    guard let sounds, ready.contains(sounds.descriptor) else { return }
    do throws(SystemError) {
      if let failure = try sounds.finish() { fail(.failed, failure, in: run) }
    } catch {
      fail(.failed, "\(error.call): \(error.reason)", in: run)
    }
    (self.sounds, scheduled) = (nil, [])
  }

  /// Gets ready to play what happens in a run.
  func begin(_ run: ActiveRunSnapshot?, _ cues: Cues) {
    guard cues.sound, let run, !run.isPaused, silentRun != run.runID, sounds?.isClosed ?? true else { return }
    // A process that still plays sounds of an earlier run would delay this one.
    endAll()
    guard let soundProgram else {
      return fail(.notStarted, "the program sequence-sound was not found", in: run.runID)
    }
    do throws(SystemError) {
      sounds = try SoundProcess(soundProgram, environment: hooks.environment.variables)
    } catch {
      fail(.notStarted, "\(error.call): \(error.reason)", in: run.runID)
    }
  }

  /// Plays the cue of an event that has just happened.
  func play(_ event: RunEvent, in run: ActiveRunSnapshot, _ cues: Cues, at reading: ClockReading) {
    if cues.speech, Cues.makesOthersStale(event) { hooks.removeWaiting(of: CueDirector.speech) }
    if let words = cues.words(event, in: run) {
      hooks.add(HookJob(hook: CueDirector.speech, words: HookWords(event, in: run), text: words))
    }
    guard let sounds, let sound = cues.sound(of: event.kind, target: event.target) else { return }
    // The sound program has already played this event if its time came before the user changed anything.
    let isPlayed = scheduled.contains {
      $0.event.kind == event.kind && $0.event.step == event.step && $0.event.at.boot <= reading.boot
    }
    if !isPlayed { send(["now \(sound.rawValue)"], to: sounds, in: run.runID) }
  }

  /// Updates the scheduled sounds for a run; `nil` removes them.
  func plan(_ run: ActiveRunSnapshot?, _ cues: Cues, at reading: ClockReading) {
    guard cues.sound, let run, !run.isPaused, silentRun != run.runID else {
      scheduled = []
      sounds?.close()
      return
    }
    var coming: [ScheduledSound] = []
    for event in run.agenda(after: reading, marks: cues.counted) {
      if let sound = cues.sound(of: event.kind, target: event.target) {
        coming.append(ScheduledSound(event: event, sound: sound))
      }
      if event.kind == .stepStart { break }
    }
    guard coming != scheduled else { return }
    scheduled = coming
    if let sounds {
      let orders = coming.map { "at \($0.event.at.boot.nanoseconds) \($0.sound.rawValue)" }
      send(["clear"] + orders, to: sounds, in: run.runID)
    }
  }

  /// What went wrong since this was asked for last.
  func takeProblems() -> [(name: String, problem: HookProblem)] {
    defer { problems = [] }
    return problems
  }

  /// Ends what plays.
  func endAll() {
    sounds?.kill()
    (sounds, scheduled) = (nil, [])
  }

  private func send(_ orders: [String], to sounds: SoundProcess, in run: UUID) {
    do throws(SystemError) {
      try sounds.send(orders)
    } catch {
      let reason = error.code == EAGAIN ? "does not read its orders" : "gets no orders: \(error.reason)"
      fail(.failed, "sequence-sound \(reason)", in: run)
      endAll()
    }
  }

  private func fail(_ kind: HookFailure.Kind, _ detail: String, in run: UUID?) {
    silentRun = run
    problems.append(("sounds", HookProblem(kind, detail)))
  }
}
