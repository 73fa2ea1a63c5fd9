package import SequencePlatform
import SequenceConfiguration
import SequenceRunner
package import SequenceStore

/// Checks everything that the program needs, without changing anything.
package struct Doctor: Sendable {
  let environment: EnvironmentVariables
  let clock: any ClockSource
  let agentProgram: @Sendable () throws -> String
  let installation: AgentInstallation

  package init(
    environment: EnvironmentVariables, clock: any ClockSource,
    agentProgram: @escaping @Sendable () throws -> String = AgentLauncher.path,
    installation: AgentInstallation? = nil
  ) {
    self.environment = environment
    self.clock = clock
    self.agentProgram = agentProgram
    self.installation = installation ?? AgentInstallation(environment: environment, clock: clock)
  }

  /// Takes up to 15 s if a service doesn't answer, and 15 s more with a sound.
  ///
  /// - Parameters:
  ///   - isNotifying: whether a test notification is shown for a second.
  ///   - sound: the name or the path of a sound that is played; `nil` for none.
  package func findings(
    _ directory: StateDirectory, notifying isNotifying: Bool = false, playing sound: String? = nil
  ) -> [Finding] {
    let store = StoreCheck(directory: directory, clock: clock).findings()
    let (desktop, report) = DesktopCheck(doctor: self, isNotifying: isNotifying).findings()
    // The desktop's check reports a missing program.
    let path = PathCheck.finding(environment, agent: try? agentProgram())
    return (path.map { [$0] } ?? []) + desktop + [
      AgentCheck(doctor: self, directory: directory).finding(store.store),
      SleepCheck(doctor: self, runs: store.runs).finding(report),
      store.finding,
      ConfigurationCheck.finding(environment),
      ClocksCheck.finding(),
      HooksCheck(doctor: self).finding(store.store),
      CuesCheck(doctor: self, sound: sound).finding(),
      DeliveryCheck.finding(store.store, at: clock.now()),
    ]
  }

  /// Shows a notification that looks and sounds like those at the end of a step; returns why it isn't seen.
  package func showTestNotification() throws -> Problem? { try DesktopCheck.show(self) }

  var textForNone: String {
    Configuration.reading(environment).mistake == nil ? "none configured" : "none (the defaults apply)"
  }

  /// The user's configuration, or the defaults; a check of its own reports a mistake.
  var configuration: Configuration { Configuration.reading(environment).configuration }
}
