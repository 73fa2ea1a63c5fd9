import Glibc
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequenceRunner

enum ConfigurationCheck {
  static func finding(_ environment: EnvironmentVariables) -> Finding {
    guard let path = Configuration.path(environment: environment) else {
      return Finding(.configuration, .warning, "cannot be found, because HOME is not set")
    }
    let (configuration, mistake) = Configuration.reading(environment)
    if let mistake { return Finding(.configuration, mistake) }
    let isSet = configuration != Configuration()
    if !isSet, FileKind(of: path) == .file, unsafe access(path, F_OK) != 0 {
      return Finding(
        .configuration, .warning, "defaults apply (\(path) is a link to a missing file)",
        advice: "create the file, or remove the link")
    }
    return Finding(.configuration, .ok, isSet ? path : "defaults apply (nothing is set in \(path))")
  }
}
