import NotificationLedger
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

extension CommandContext {
  /// The steps of a run that is about to start, with what the configuration says of absences where the sequence
  /// says nothing.
  ///
  /// It is settled here for the whole run, so that whoever looks at the run later comes to the same. A mistake in the
  /// configuration is said, and nothing is taken from it then.
  func withAwayPolicy(_ timeline: Timeline) -> Timeline {
    guard timeline.definition.away == nil, let path = Configuration.path(environment: environment) else {
      return timeline
    }
    do throws(SequenceFileError) {
      return timeline.defaulting(away: try Configuration.read(path: path).away)
    } catch {
      say(Failure("\(error.message(inFile: path)); until it is mended the defaults hold", .done))
      return timeline
    }
  }
}
