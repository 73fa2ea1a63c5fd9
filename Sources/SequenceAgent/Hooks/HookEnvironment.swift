import Glibc
import NotifierLedger
package import SequencePlatform
import SequenceConfiguration
import SequenceRunner
package import SequenceStore

/// The environment, search path and working directory of hook processes.
package struct HookEnvironment: Sendable {
  /// The environment variables, each as `NAME=value`, without those of an event.
  package let variables: [String]
  /// Where programs are looked for.
  package let searchPath: String?
  /// The working directory: the user's home, or the root.
  package let directory: String
  /// Whether the agent is a service of systemd, or was started by one.
  let isOfService: Bool

  /// - Parameters:
  ///   - environment: that of the agent.
  ///   - state: the state directory, so that a hook that calls `sequence` means the same run.
  package init(_ environment: EnvironmentVariables, state: StateDirectory) {
    let own = Set(HookVariable.allCases.map(\.rawValue) + ["SEQUENCE_STATE_DIR"])
    variables =
      environment.entries.filter { !own.contains(String($0.unicodeScalars.prefix { $0 != "=" })) }
      + ["SEQUENCE_STATE_DIR=\(state.path)"]
    searchPath = environment["PATH"]
    isOfService = environment["INVOCATION_ID"] != nil
    directory = environment["HOME"].flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil } ?? "/"
  }
}
