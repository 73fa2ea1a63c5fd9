package import FoundationEssentials
import NotifierLedger
package import SequenceConfiguration
package import SequenceFiles
import SequencePlanning
package import SequencePlatform
package import SequenceRunner
package import SequenceStore

/// The runs of a state directory, as every face acts on them: with the defaults of the configuration, and with an agent
/// that sees each change.
package final class Client {
  package let context: ClientContext
  /// Changes that are made without the client need `ensureAgent()`.
  package let store: RunStore
  private var knownMistake: Problem?
  /// The reason why no agent could be started, of which the user was warned; `nil` once one is there.
  var agentFailure: Problem?
  /// The last start of an agent on the boot clock, and how long after it time alone starts no other one.
  var lastStart: (at: Duration, pause: Duration)?

  /// Creates a missing store; warns the user of what happens to the store, now or later.
  package init(in directory: StateDirectory, _ context: ClientContext) throws {
    self.context = context
    store = try CompleteStore.open(in: directory, clock: context.clock)
    warnOfNotices()
    // An agent of the earlier version or of the damaged store ends now, whatever the user does next.
    if store.database.wasMigrated || !store.notices.isEmpty { ensureAgent() }
  }

  deinit { warnOfNotices() }

  /// Replaces the store if any part of it is damaged; other commands find damage only in the parts that they read.
  package func repair() throws {
    defer { warnOfNotices() }
    try store.repairing(store.base.check)
    if !store.notices.isEmpty { ensureAgent() }
  }

  /// Warns the user of what has happened to the store since the last call.
  private func warnOfNotices() {
    for notice in store.takeNotices() { context.warn(explained(notice)) }
  }

  /// The defaults apply if the configuration has a mistake; the user is warned of a mistake once.
  package func configuration() -> Configuration {
    let (configuration, mistake) = Configuration.reading(context.environment)
    warnOnce(of: mistake)
    return configuration
  }

  private func warnOnce(of mistake: Problem?) {
    if let mistake, mistake != knownMistake { context.warn(mistake) }
    knownMistake = mistake
  }

  // MARK: - Runs

  /// Returns the active runs at this moment; never writes to a sound store.
  ///
  /// If time has changed a run, such as by a power loss, an agent is started, which writes the change. The same if the
  /// agent that would have noticed the end of a suspend is gone.
  package func status() throws -> RunStatus {
    defer { warnOfNotices() }
    let status = try store.peek()
    if !store.isSettled { ensureAgent(byTime: true) }
    // The agent that waited for the end of the suspend has ended, and the new one is about to write that end. While the
    // computer is shutting down, the suspend has not even begun.
    let isAsleep = status.runs.contains {
      $0.suspend?.cause == .sleep && $0.returned(at: status.reading) != nil
    }
    // Only an agent notices that the screen is unlocked.
    if status.runs.contains(where: \.isLocked) { ensureAgent() }
    guard isAsleep, ensureAgent()?.isNew == true else { return status }
    return RunStatus(
      reading: status.reading,
      runs: status.runsByStart.map { run in
        run.suspend?.cause == .sleep ? run.returned(at: status.reading) ?? run : run
      })
  }

  /// Returns the active run that a word of the user names: its name or its title in any letter case, or at least four
  /// characters of its id.
  ///
  /// Of runs with the same title it is the one whose name was made from that alone.
  package static func run(_ word: String, among status: RunStatus) throws(ClientError) -> ActiveRunSnapshot {
    func named(_ name: String, among runs: [ActiveRunSnapshot]) -> ActiveRunSnapshot? {
      runs.first { $0.name == name }
    }
    if let run = named(word, among: status.runs) ?? named(word.lowercased(), among: status.runs) {
      return run
    }
    let titled = status.runs.filter { $0.sequence.title.lowercased() == word.lowercased() }
    if titled.count == 1 { return titled[0] }
    if word.contains(where: \.isLetter),
      let run = named(RunName.name(for: word), among: titled.isEmpty ? status.runs : titled)
    {
      return run
    }
    guard titled.isEmpty else { throw .ambiguousRun(word, names: titled.map(\.name)) }
    let found =
      word.count < Client.fewestCharactersOfID
      ? [] : status.runs.filter { $0.runID.uuidString.hasPrefix(word.uppercased()) }
    guard let run = found.first else { throw .unknownRun(word, active: status.runs.map(\.name)) }
    guard found.count == 1 else { throw .ambiguousRun(word, names: found.map(\.name)) }
    return run
  }

  /// Says that the run of an id has ended, if it is not active.
  package func run(_ word: String, among status: RunStatus) throws -> ActiveRunSnapshot {
    do throws(ClientError) {
      return try Client.run(word, among: status)
    } catch {
      guard case .unknownRun = error, Client.isID(word) else { throw error }
      let ids = try store.endedRunIDs(beginningWith: word)
      guard ids.count == 1, let ended = try store.endedRun(id: ids[0]) else { throw error }
      throw ClientError.runEnded(ended.runID, ended.outcome)
    }
  }

  package static let fewestCharactersOfID = 4

  /// Whether a text can be the beginning of an id that names a run.
  package static func isID(_ text: String) -> Bool {
    text.count >= fewestCharactersOfID && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// Writes what time has changed, and returns the active runs at this moment.
  ///
  /// If that makes a notification due, such as the question after a power loss, an agent is started.
  package func settle() throws -> RunStatus {
    defer { warnOfNotices() }
    let count = store.settledChanges
    let status = try store.settle()
    if store.settledChanges != count { ensureAgent(byTime: true) }
    return status
  }

  package func start(_ timeline: Timeline, _ choices: RunChoices = RunChoices()) throws -> RunStatus {
    let status = try begin(timeline, choices)
    ensureAgent()
    return status
  }

  /// Starts a run, without an agent.
  func begin(_ timeline: Timeline, _ choices: RunChoices) throws -> RunStatus {
    let (configuration, mistake) = Configuration.reading(context.environment)
    let definition = timeline.definition
    let needsLockPolicy = definition.onLock == nil && choices.start.source == .file
    if definition.onSuspend == nil || needsLockPolicy { warnOnce(of: mistake) }
    var sound = choices.cues?.sound
    // A program that isn't installed is a problem only for a user who asked for sounds, and a file with a mistake may
    // have switched them off.
    let isSilent = try choices.soundsByDefault && installedProgram("sequence-sound") == nil
    if choices.soundsByDefault, !isSilent, sound == nil, mistake == nil, configuration.sound == nil {
      sound = true
    }
    let options = configuration.options(
      of: definition, choices.start.source, sound: sound, speech: choices.cues?.speech,
      rings: isSilent ? false : choices.rings, labels: choices.labels)
    let status = try ensuringAgentOnFailure {
      try store.start(timeline, options: options, choices.start)
    }
    let cues = status.run.map(configuration.cues.of) ?? configuration.cues
    if choices.rings == true, !choices.soundsByDefault { warn(ofSilence: cues, configuration) }
    if cues.isWanted {
      // Nobody asked for sounds by default.
      let isDefault = choices.soundsByDefault && choices.cues == nil && configuration.sound == nil
      warn(ofCues: cues, isDefault ? nil : timeline)
      if cues.sound { for problem in choices.soundProblems { context.warn(problem) } }
    }
    return status
  }

  /// - Parameters:
  ///   - run: the id of the run that the user means; `nil` for the current run.
  ///   - step: the index of the step that the user means; `nil` for the current step.
  package func perform(
    _ command: RunCommand, on run: UUID? = nil, onStep step: Int? = nil
  ) throws -> PerformedCommand {
    let performed = try ensuringAgentOnFailure {
      try store.perform(command, on: run, onStep: step, notAfter: nil)
    }
    ensureAgent()
    return performed
  }

  /// Starts an agent if a refused action has written what time had changed before.
  private func ensuringAgentOnFailure<Result>(_ body: () throws -> Result) throws -> Result {
    defer { warnOfNotices() }
    let count = store.settledChanges
    do {
      return try body()
    } catch {
      if store.settledChanges != count { ensureAgent() }
      throw error
    }
  }

  /// Whether a run rings at its end, and isn't muted.
  package func rings(_ run: ActiveRunSnapshot) -> Bool { run.rings && configuration().cues.of(run).rings }

  /// Ends the ringing of a run that has ended; returns `nil` if it doesn't ring.
  ///
  /// - Parameter word: names the run like an active one; `nil` for the run that ended last.
  package func silence(_ word: String? = nil) throws -> ActiveRunSnapshot? {
    let reading = store.clock.now()
    let ringing = try store.ringingEnds(at: reading).sorted { $0.end > $1.end }.map(\.run).filter(rings)
    let found: ActiveRunSnapshot?
    do throws(ClientError) {
      let status = RunStatus(reading: reading, runs: ringing)
      found =
        try word.map { word throws(ClientError) in try Client.run(word, among: status) } ?? ringing.first
    } catch {
      // It names another run.
      return nil
    }
    guard let found else { return nil }
    try store.seeEnd(of: found, reason: .cleared)
    ensureAgent()
    return found
  }

  private func warn(ofSilence cues: Cues, _ configuration: Configuration) {
    guard !cues.rings else { return }
    let setting = configuration.rings ? "cues: { sound: false }" : "ring: false"
    context.warn(Problem("nothing will ring, because config.yaml has \(setting)", remedy: "remove that"))
  }

  /// - Parameter timeline: the sequence whose sounds are played; `nil` if they don't matter.
  private func warn(ofCues cues: Cues, _ timeline: Timeline?) {
    do throws(SystemError) {
      let check = CueProblems(cues, context.environment)
      let problems = try check.ofPrograms()
      for problem in problems { context.warn(problem) }
      guard let timeline, cues.playsSounds, problems.isEmpty else { return }
      let trial = CueTrial(environment: context.environment, clock: context.clock)
      if let problem = try trial.serverProblem(within: .milliseconds(500)) { return context.warn(problem) }
      let own = timeline.definition.elements.flatMap(\.cards).compactMap(cues.startSound)
      let sounds = cues.sound ? cues.soundNames + own : [cues.name(of: .finished)].compactMap { $0 }
      for problem in check.ofSounds(sounds) { context.warn(problem) }
    } catch {
      context.warn(
        Problem("\(error.problem.text), so sounds may not be played", remedy: "see sequence doctor"))
    }
  }
}

package struct RunChoices {
  /// The cues of the run; `nil` for those of the configuration.
  package var cues: (sound: Bool, speech: Bool)?
  package var start: RunStart
  /// Whether the run rings at its end, if the configuration allows that; `nil` to leave that to the sequence.
  package var rings: Bool?
  /// The labels of the run besides those of its sequence.
  package var labels: [String]
  /// Whether sounds are played if neither the user nor the configuration has chosen.
  package var soundsByDefault: Bool
  /// The sounds of the file that can't be played.
  package var soundProblems: [Problem] = []

  /// The choices for a run that is started in the window or by desktop search: sounds are on, and timers ring, unless
  /// the configuration says otherwise.
  ///
  /// The window suppresses notifications while it has the focus, and their sounds with them.
  package init(ofDesktop start: RunStart, labels: [String] = []) {
    self.init(start, rings: start.source == .timer ? true : nil, labels: labels, soundsByDefault: true)
  }

  package init(
    cues: (sound: Bool, speech: Bool)? = nil, _ start: RunStart = RunStart(), rings: Bool? = nil,
    labels: [String] = [],
    soundsByDefault: Bool = false
  ) {
    self.cues = cues
    self.start = start
    self.rings = rings
    self.labels = labels
    self.soundsByDefault = soundsByDefault
  }
}

package struct ClientContext {
  package let environment: EnvironmentVariables
  package let clock: any ClockSource
  /// Starts the agent for a state directory, and returns its process.
  package let startAgent: (StateDirectory) throws -> Int32
  /// Waits for the answer of an agent without holding the caller up, and hands it over in the caller's thread.
  ///
  /// It is `nil` for a face that may wait.
  package let askPatiently: ((String, @escaping (Result<PresenceSocket.Reply, SystemError>) -> Void) -> Void)?
  package let warn: (Problem) -> Void

  /// An environment; a face starts the installed agent with it unless it is given another way.
  package init(
    environment: EnvironmentVariables, clock: any ClockSource,
    startAgent: ((StateDirectory) throws -> Int32)? = nil,
    askPatiently: ((String, @escaping (Result<PresenceSocket.Reply, SystemError>) -> Void) -> Void)? = nil,
    warn: @escaping (Problem) -> Void
  ) {
    self.environment = environment
    self.clock = clock
    self.startAgent = startAgent ?? { directory in try AgentLauncher.start(directory, environment) }
    self.askPatiently = askPatiently
    self.warn = warn
  }

  package func library() throws(ClientError) -> SequenceLibrary {
    guard let library = SequenceLibrary(environment: environment) else { throw .noLibrary }
    return library
  }

  /// Finds the sequence file that a word of the user means, and warns if the library has another one of that name.
  package func sequencePath(_ word: String) throws -> String {
    let match = try SequenceLookup(library: SequenceLibrary(environment: environment)).find(word)
    if let hidden = match.hidden {
      warn(
        Problem(
          "using ./\(word), but your library has a sequence \(quote(word)) too",
          remedy: "to use that, write \(hidden)"))
    }
    return match.path
  }
}

package enum ProgramVersion {
  package static let text = "0.1.0"
}
