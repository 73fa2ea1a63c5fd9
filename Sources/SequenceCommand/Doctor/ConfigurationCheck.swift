import NotificationLedger
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

/// The user's configuration: whether it is there, and whether it can be read.
enum ConfigurationCheck {
  static func finding(_ context: CommandContext) -> Finding {
    guard let path = Configuration.path(environment: context.environment) else {
      return Finding(.configuration, .warning, "there is no place for one, as HOME is not set")
    }
    do throws(SequenceFileError) {
      let isSet = try Configuration.read(path: path) != Configuration()
      return Finding(.configuration, .ok, isSet ? path : "nothing is set in \(path)")
    } catch {
      return Finding(
        .configuration, .error, "\(error.message(inFile: path))",
        advice: "mend it; until then the defaults hold")
    }
  }
}
