import Glibc
import NotificationLedger
package import Platform
import SequenceConfiguration
import SequenceRunner
package import Store

/// What hooks get beside what they are told.
package struct HookSurroundings: Sendable {
  /// The environment, each as `NAME=value`, without what a hook is told itself.
  package let environment: [String]
  /// Where programs are looked for.
  package let searchPath: String?
  /// The directory that they work in: the user's own, which stays, or the root.
  package let directory: String

  /// - Parameters:
  ///   - environment: that of the agent.
  ///   - state: the state directory, so that a hook that calls `sequence` means the same run.
  package init(_ environment: EnvironmentVariables, state: StateDirectory) {
    let own = Set(HookField.allCases.map(\.variable) + ["SEQUENCE_STATE_DIR"])
    self.environment =
      environment.entries.filter { !own.contains(String($0.prefix { $0 != "=" })) }
      + ["SEQUENCE_STATE_DIR=\(state.path)"]
    searchPath = environment["PATH"]
    directory = environment["HOME"].flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil } ?? "/"
  }
}
