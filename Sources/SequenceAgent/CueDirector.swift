import FoundationEssentials
import Glibc
import NotifierLedger
import SequenceConfiguration
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// Plays the cues of runs: sounds with a program that gets them ahead of time, words with `spd-say`.
final class CueDirector {
  private let hooks: HookRunner
  private let soundProgram: String?
  private var sounds: SoundProcess?
  /// When the sound program must have ended that gets no more orders, on the boot clock.
  private var soundsEnd: Duration?
  private var killed: [SoundProcess] = []
  /// The sounds that were sent to the sound program, with their times on the boot clock.
  private var scheduled: [ScheduledSound] = []
  /// The runs whose sounds could not be played; the next run tries again.
  private var silentRuns: Set<UUID> = []
  /// Whether failures of the sound program are reported; words alone are spoken without it.
  private var hasSounds = false
  /// The runs with cues whose clocks are running, in the order of their starts, with their cues.
  private var playing: [(run: ActiveRunSnapshot, cues: Cues)] = []
  /// The ends whose sound is repeated, and that sound.
  private var ringing: [RingingEnd] = []
  private var endSound: String?
  private var status: RunStatus?
  private(set) var problems: [(name: String, problem: HookProblem)] = []

  private struct ScheduledSound: Equatable {
    let run: UUID
    /// When it is played, on the boot clock.
    let at: Duration
    /// The event that it is the sound of; `nil` for a repetition.
    let event: RunEvent?
    let sound: String
  }

  /// The program that says words, one after the other: `--wait` ends with the word.
  static let speech = Hook(
    events: [], program: Cues.speechCommand[0],
    arguments: Cues.speechCommand.dropFirst().map { Template(plain: $0) }, timeout: speechDelay)

  /// How long speech may take to begin: its server may have to start, or say something else first.
  private static let speechDelay = Duration.seconds(10)
  /// How long a text takes to say, with a slow voice.
  private static func speakingTime(of text: String) -> Duration {
    .seconds(1) + .milliseconds(200) * text.count
  }
  /// How long the sound program may take to end: it plays a sound for 5 s at most then.
  private static let soundsLimit = Duration.seconds(30)

  init(_ hooks: HookRunner, soundProgram: String?) {
    self.hooks = hooks
    self.soundProgram = soundProgram
  }

  var descriptors: [Int32] { ((sounds.map { [$0] } ?? []) + killed).map(\.descriptor) }
  var nextWake: Duration? {
    (ringing.map { $0.end + RingingEnd.limit } + [soundsEnd].compactMap { $0 }).min()
  }
  var hasNothingToWaitFor: Bool { sounds == nil && problems.isEmpty }

  /// - Parameters:
  ///   - cues: those of the configuration, which the options of a run override.
  ///   - ends: the ends that ring, even of muted runs.
  func begin(_ ready: [Int32], _ status: RunStatus, _ cues: Cues, _ ends: [RingingEnd]) {
    self.status = status
    silentRuns.formIntersection(status.runs.map(\.runID) + ends.map(\.run.runID))
    playing = status.runsByStart.filter { !$0.isPaused }.map { ($0, cues.of($0)) }
      .filter(\.cues.isWanted)
    chooseRinging(ends, cues, at: status.reading)
    let hasSounds = playing.contains(where: \.cues.playsSounds) || !ringing.isEmpty
    if hasSounds, !self.hasSounds {
      // Failures for words alone were not reported.
      silentRuns = []
      self.hasSounds = true
    }
    collect(ready, at: status.reading)
    playing.removeAll { silentRuns.contains($0.run.runID) }
    ringing.removeAll { silentRuns.contains($0.run.runID) }
    let isCurrent = sounds.map { !$0.isClosed && $0.sounds == cues.soundNames && $0.volume == cues.volume }
    guard !playing.isEmpty || !ringing.isEmpty, isCurrent != true else { return }
    // A process that still plays sounds of an earlier run would delay this one.
    endSounds()
    self.hasSounds = hasSounds
    guard let soundProgram else { return fail(.notStarted, "the program sequence-sound was not found") }
    do throws(SystemError) {
      sounds = try SoundProcess(soundProgram, cues, environment: hooks.environment.variables)
    } catch {
      fail(.notStarted, "\(error.call): \(error.reason)")
    }
  }

  /// Without a notification on the screen, an end rings that was found in time.
  private func chooseRinging(_ ends: [RingingEnd], _ cues: Cues, at reading: ClockReading) {
    endSound = cues.name(of: .finished)
    let before = ringing.map(\.run.runID)
    ringing = ends.filter { ringing in
      guard endSound != nil, cues.of(ringing.run).rings else { return false }
      return ringing.isShown || before.contains(ringing.run.runID)
        || reading.boot - ringing.end <= Lateness.notification
    }
  }

  private func collect(_ ready: [Int32], at reading: ClockReading) {
    killed.removeAll { sounds in
      guard ready.contains(sounds.descriptor) else { return false }
      Subprocess.collect(killed: [sounds.identifier])
      return true
    }
    guard let sounds else { return }
    if ready.contains(sounds.descriptor) {
      do throws(SystemError) {
        if let failure = try sounds.finish() { fail(.failed, failure) }
      } catch {
        fail(.failed, "\(error.call): \(error.reason)")
      }
      (self.sounds, scheduled, soundsEnd) = (nil, [], nil)
    } else if let end = soundsEnd, end <= reading.boot {
      guard reading.boot - end <= Lateness.limit else {
        return soundsEnd = reading.boot + CueDirector.soundsLimit
      }
      fail(.timeout, "sequence-sound did not end")
      endSounds()
    }
  }

  func play(_ event: RunEvent, in run: ActiveRunSnapshot, _ cues: Cues, at reading: ClockReading) {
    if cues.speech, Cues.makesOthersStale(event) {
      hooks.removeOutdated(of: CueDirector.speech, in: run.runID)
    }
    if let words = cues.words(event, in: run) {
      let time = CueDirector.speakingTime(of: words)
      hooks.add(
        HookJob(
          hook: CueDirector.speech, run: run.runID, words: HookWords(event, in: run), text: words,
          limit: CueDirector.speechDelay + time, usualTime: time))
    }
    guard let sounds, let sound = sound(of: event, in: run, cues) else { return }
    // The sound program has already played this event if its time came before the user changed anything.
    let isPlayed = scheduled.contains {
      $0.run == run.runID && $0.event?.kind == event.kind && $0.event?.step == event.step
        && $0.at <= reading.boot
    }
    if !isPlayed { send(["now \(sound)"], to: sounds) }
  }

  func plan() {
    guard let status, !playing.isEmpty || !ringing.isEmpty, let sounds else {
      scheduled = []
      if let status, let sounds = self.sounds, !sounds.isClosed {
        sounds.close()
        soundsEnd = status.reading.boot + CueDirector.soundsLimit
      }
      return
    }
    var coming: [ScheduledSound] = []
    for (run, cues) in playing {
      for event in run.agenda(after: status.reading, marks: cues.counted.union(cues.remainingMarks)) {
        // Words without a sound need a device that is awake too.
        let silent = cues.words(event, in: run) == nil ? nil : "none"
        if let sound = sound(of: event, in: run, cues) ?? silent {
          coming.append(ScheduledSound(run: run.runID, at: event.at.boot, event: event, sound: sound))
        }
        if event.kind == .stepStart { break }
      }
    }
    for end in ringing {
      coming += end.repetitions(after: status.reading.boot).map {
        ScheduledSound(run: end.run.runID, at: $0, event: nil, sound: endSound ?? "none")
      }
    }
    // Sounds of one moment are played in the order in which their runs were started.
    coming = coming.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
    guard coming != scheduled else { return }
    scheduled = coming
    let orders = coming.map { "at \($0.at.nanoseconds) \($0.sound)" }
    send(["clear"] + orders, to: sounds)
  }

  /// Returns the sound of an event; the last seconds are counted for the current run only.
  private func sound(of event: RunEvent, in run: ActiveRunSnapshot, _ cues: Cues) -> String? {
    if case .remaining = event.kind, run.runID != status?.runs.first?.runID { return nil }
    return cues.sound(of: event, in: run)
  }

  /// The problems since the last call.
  func takeProblems() -> [(name: String, problem: HookProblem)] {
    defer { problems = [] }
    return problems
  }

  func endAll() {
    endSounds()
    Subprocess.collect(killed: killed.map(\.identifier))
    killed = []
  }

  private func endSounds() {
    if let sounds {
      sounds.kill()
      killed.append(sounds)
    }
    (sounds, scheduled, soundsEnd) = (nil, [], nil)
  }

  private func send(_ orders: [String], to sounds: SoundProcess) {
    do throws(SystemError) {
      try sounds.send(orders)
    } catch {
      let reason = error.code == EAGAIN ? "does not read its orders" : "gets no orders: \(error.reason)"
      fail(.failed, "sequence-sound \(reason)")
      endSounds()
    }
  }

  /// Reports a problem; the runs that are active now have no sounds any more.
  private func fail(_ kind: HookFailure.Kind, _ detail: String) {
    silentRuns.formUnion((status?.runs ?? []).map(\.runID) + ringing.map(\.run.runID))
    (playing, ringing) = ([], [])
    if hasSounds { problems.append((HookFailure.sounds, HookProblem(kind, detail))) }
  }
}

/// The program that plays sounds, while it runs.
///
/// It gets its orders ahead of time, one packet for all that belong together. Once the socket is closed it ends when
/// the last sound has ended.
final class SoundProcess {
  private let process: Subprocess
  private let errors: BoundedFile
  private var orders: FileDescriptor?

  /// The sounds that are loaded, and their volume in percent.
  let sounds: [String]
  let volume: Int

  init(_ program: String, _ cues: Cues, environment: [String]) throws(SystemError) {
    sounds = cues.soundNames
    volume = cues.volume
    var ends: [Int32] = [-1, -1]
    // Of a sequenced-packet socket the program gets a packet whole or not at all, as it would not of a pipe.
    _ = try SystemError.check("socketpair") {
      unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    }
    let reader = FileDescriptor(owning: ends[0])
    let writer = FileDescriptor(owning: ends[1])
    let errors = try BoundedFile(size: 4096)
    process = try Subprocess(
      [program, "--volume", String(volume)] + sounds, environment: environment,
      streams: (.descriptor(reader.number), .null, .descriptor(errors.descriptor)))
    self.errors = errors
    orders = consume writer
  }

  var identifier: Int32 { process.identifier }
  /// Readable once the program has ended.
  var descriptor: Int32 { process.descriptor }

  var isClosed: Bool {
    switch orders {
    case .some: false
    case .none: true
    }
  }

  /// Sends orders to the program, without ever waiting; none are sent after its end.
  ///
  /// - Throws: if the program takes no more, because it has read none for a long time.
  func send(_ lines: [String]) throws(SystemError) {
    let packet = Array((lines.joined(separator: "\n") + "\n").utf8)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    switch orders {
    case .some(let orders):
      do throws(SystemError) {
        _ = try SystemError.check("send") { unsafe Glibc.send(orders.number, packet, packet.count, flags) }
      } catch  where error.code == EPIPE || error.code == ECONNRESET {
        // Its end is noticed by its descriptor.
      }
    case .none: break
    }
  }

  func close() { orders = nil }

  /// Returns the problem in words; `nil` if there is none.
  func finish() throws(SystemError) -> String? {
    let termination = try process.wait()
    guard termination != .exit(0) else { return nil }
    if let line = try errors.lastLine() { return line }
    switch termination {
    case .exit(let status): return "sequence-sound ended with status \(status)"
    case .signal(let number): return "signal \(number) ended sequence-sound"
    }
  }

  /// Kills the program; `descriptor` is readable once it has ended.
  func kill() { process.sendKill() }
}
