package import FoundationEssentials
import NotifierLedger
import SequencePlatform
package import SequenceConfiguration
import SequencePlanning
package import SequenceRunner
package import SequenceStore

/// The runs of a state directory, as every face acts on them: with the defaults of the configuration, and with an agent
/// that sees each change.
package final class Client {
  /// The environment.
  package let context: ClientContext
  /// The store of the state directory.
  ///
  /// Changes that are made without the client need `ensureAgent()`.
  package let store: OpenRunStore
  /// The mistake in the configuration that the user was warned of.
  private var knownMistake: Explanation?
  /// The reason why no agent could be started, of which the user was warned; `nil` once one is there.
  var agentFailure: Explanation?

  /// Opens the store of a state directory, and creates it if it doesn't exist.
  ///
  /// The user is warned of what happens to the store, now or later.
  ///
  /// - Throws: `StoreError`.
  package init(in directory: StateDirectory, _ context: ClientContext) throws {
    self.context = context
    store = try OpenRunStore.complete(in: directory, clock: context.clock)
    for notice in store.notices { context.warn(Explanation(notice)) }
    store.onNotice = { context.warn(Explanation($0)) }
    // An agent of the earlier version ends now, whatever the user does next.
    if store.database.wasMigrated { ensureAgent() }
  }

  /// The user's configuration, or the defaults if it has a mistake.
  ///
  /// The user is warned of a mistake once.
  package func configuration() -> Configuration {
    let (configuration, mistake) = Configuration.reading(context.environment)
    warnOnce(of: mistake)
    return configuration
  }

  private func warnOnce(of mistake: Explanation?) {
    if let mistake, mistake != knownMistake { context.warn(mistake) }
    knownMistake = mistake
  }

  // MARK: - Runs

  /// Returns the active run at this moment; never writes.
  ///
  /// If time has changed the run, such as by a power loss, an agent is started, which writes the change. The same if
  /// the agent that would have noticed the end of a suspend is gone.
  ///
  /// - Throws: `StoreError`.
  package func status() throws -> RunStatus {
    let status = try store.status()
    if !store.isSettled { ensureAgent() }
    // The agent that waited for the end of the suspend has ended, and the new one is about to write that end. While the
    // computer is shutting down, the suspend has not even begun.
    guard let run = status.run, run.suspend?.cause == .sleep, let returned = run.returned(at: status.reading),
      ensureAgent()?.isNew == true
    else { return status }
    return RunStatus(reading: status.reading, run: returned)
  }

  /// Writes what time has changed, and returns the active run at this moment.
  ///
  /// If that makes a notification due, such as the question after a power loss, an agent is started.
  ///
  /// - Throws: `StoreError`.
  package func settle() throws -> RunStatus {
    let count = store.settledChanges
    let status = try store.settle()
    if store.settledChanges != count { ensureAgent() }
    return status
  }

  /// Starts a run, with the defaults of the configuration and an agent.
  ///
  /// - Throws: `RunError.runActive`; `StoreError`.
  package func start(_ timeline: Timeline, _ choices: RunChoices = RunChoices()) throws -> RunStatus {
    let status = try begin(timeline, choices)
    ensureAgent()
    return status
  }

  /// Starts a run, without an agent.
  func begin(_ timeline: Timeline, _ choices: RunChoices) throws -> RunStatus {
    // The configuration's policy is written into the run, so that every process that reads the run uses the same one.
    let (configuration, mistake) = Configuration.reading(context.environment)
    var policy: SuspendPolicy?
    if timeline.definition.onSuspend == nil {
      warnOnce(of: mistake)
      policy = configuration.onSuspend
    }
    var sound = choices.cues?.sound
    // A program that isn't installed is a problem only for a user who asked for sounds, and a file with a mistake may
    // have switched them off.
    if choices.soundsByDefault, sound == nil, mistake == nil, !configuration.setsSound,
      try installedProgram("sequence-sound") != nil
    {
      sound = true
    }
    let options = RunOptions(suspendPolicy: policy, sound: sound, speech: choices.cues?.speech)
    let status = try ensuringAgentOnFailure {
      try store.start(timeline, options: options, replacing: choices.isReplacing)
    }
    warnOfMissingPrograms(of: configuration.cues.with(options))
    return status
  }

  /// Performs a command on the active run, and starts an agent if one is needed.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - step: the index of the step that the user means; `nil` for the current step.
  ///   - run: the run that the user means; `nil` for the active run.
  /// - Throws: `RunError`, such as `.stepPassed` or `.runPassed`; `StoreError`.
  package func perform(
    _ command: RunCommand, onStep step: Int? = nil, ofRun run: UUID? = nil
  ) throws -> PerformedCommand {
    let performed = try ensuringAgentOnFailure {
      try store.perform(command, onStep: step, ofRun: run) { _, _ in }
    }
    ensureAgent()
    return performed
  }

  /// Starts an agent if a refused action has written what time had changed before.
  private func ensuringAgentOnFailure<Result>(_ body: () throws -> Result) throws -> Result {
    let count = store.settledChanges
    do {
      return try body()
    } catch {
      if store.settledChanges != count { ensureAgent() }
      throw error
    }
  }

  private func warnOfMissingPrograms(of cues: Cues) {
    do throws(SystemError) {
      for missing in try cues.missingPrograms(context.environment) { context.warn(missing) }
    } catch {
      context.warn(
        Explanation("\(error.problem), so sounds may not be played", remedy: "see sequence doctor"))
    }
  }
}

/// The choices of the user for one run.
package struct RunChoices {
  /// The cues of the run; `nil` for those of the configuration.
  package var cues: (sound: Bool, speech: Bool)?
  /// Whether an active run is stopped first.
  package var isReplacing: Bool
  /// Whether sounds are played if neither the user nor the configuration has chosen.
  package var soundsByDefault: Bool

  /// No choices, unless they are given.
  package init(
    cues: (sound: Bool, speech: Bool)? = nil, isReplacing: Bool = false, soundsByDefault: Bool = false
  ) {
    self.cues = cues
    self.isReplacing = isReplacing
    self.soundsByDefault = soundsByDefault
  }
}
