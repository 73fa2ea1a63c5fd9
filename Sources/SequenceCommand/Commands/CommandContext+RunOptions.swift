import SequenceConfiguration
import SequenceRunner

extension CommandContext {
  /// The options of a run that is about to start.
  ///
  /// What the configuration sets for suspends is settled here for the whole run, so that every process that reads the
  /// run later uses the same policy. A mistake in the configuration is printed, and the defaults apply then.
  ///
  /// - Parameter cues: the cues that the command line chooses; `nil` if it chooses none.
  func runOptions(_ cues: (sound: Bool, speech: Bool)?, for timeline: Timeline) -> RunOptions {
    let policy = timeline.definition.onSuspend == nil ? configuration().onSuspend : nil
    return RunOptions(suspendPolicy: policy, sound: cues?.sound, speech: cues?.speech)
  }
}
