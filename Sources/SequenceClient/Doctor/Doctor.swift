import SequenceConfiguration
import SequenceFiles
package import SequencePlatform
import SequencePresentation
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
      CuesCheck(doctor: self, sound: sound).finding(store.store),
      DeliveryCheck.finding(store.store, at: clock.now()),
    ]
  }

  /// Shows a notification that looks and sounds like those at the end of a step; returns why it isn't seen.
  package func showTestNotification() throws -> Problem? { try DesktopCheck.show(self) }

  /// The failures of hooks and cues in the last week, newest first.
  func failures(in store: RunStore?) throws(StoreError) -> [HookFailure] {
    guard let store, store.base.isCurrent else { return [] }
    let week = Duration.seconds(7 * 24 * 60 * 60)
    return try HookFailureLog(database: store.database)
      .failures(since: clock.now().wall.advanced(by: .zero - week))
  }

  var textForNone: LocalizedText {
    Configuration.reading(environment).mistake == nil
      ? LocalizedText("none configured") : LocalizedText("none (the defaults apply)")
  }

  /// The user's configuration, or the defaults; a check of its own reports a mistake.
  var configuration: Configuration { Configuration.reading(environment).configuration }
}

package struct Finding: Sendable {
  package let check: Check
  package var state: State
  package var text: LocalizedText
  package var advice: LocalizedText?
  /// More of the result, such as single failures, a line each.
  package var items: [LocalizedText] = []
  /// More information for scripts, as a document of its own.
  package var details: (any Encodable & Sendable)?

  init(
    _ check: Check, _ state: State, _ text: LocalizedText, advice: LocalizedText? = nil,
    details: (any Encodable & Sendable)? = nil
  ) {
    self.check = check
    self.state = state
    self.text = text
    self.advice = advice
    self.details = details
  }

  init(_ check: Check, _ error: any Error) {
    let problem = explained(error)
    self.init(check, .error, problem.text, advice: problem.remedy)
  }

  package enum Check: String, Encodable, CaseIterable {
    case program
    case path
    case bus
    case server
    case test
    case agent
    case sleep
    case panel
    case store
    case configuration
    case clocks
    case hooks
    case cues
    case notifications

    package var title: LocalizedText {
      switch self {
      case .program: LocalizedText("sequence-agent")
      case .path: LocalizedText("command")
      case .bus: LocalizedText("session bus")
      case .server: LocalizedText("notification server")
      case .test: LocalizedText("test notification")
      case .agent: LocalizedText("agent")
      case .sleep: LocalizedText("suspend")
      case .panel: LocalizedText("panel")
      case .store: LocalizedText("store")
      case .configuration: LocalizedText("configuration")
      case .clocks: LocalizedText("clocks")
      case .notifications: LocalizedText("notifications")
      case .hooks: LocalizedText("hooks")
      case .cues: LocalizedText("cues")
      }
    }
  }

  package enum State: String, CaseIterable, Encodable {
    case ok
    case warning
    case error

    var words: String {
      switch self {
      case .ok: translated("ok")
      case .warning: translated("warning")
      case .error: translated("error")
      }
    }
  }

  /// - Parameter arrow: the sign in front of the remedy.
  package func lines(arrow: String) -> [String] {
    let names = Check.allCases.map(\.title.translation)
    let width = names.map(TextWidth.columns).max() ?? 0
    let states = State.allCases.map(\.words)
    let stateWidth = states.map(TextWidth.columns).max() ?? 0
    let indent = TextWidth.padded("", to: stateWidth + 2)
    let result =
      TextWidth.padded(state.words, to: stateWidth) + "  "
      + TextWidth.padded(check.title.translation, to: width) + "  " + text.translation
    return
      ([result] + items.map { indent + $0.translation }
      + (advice.map { ["\(indent)\(arrow) \($0.translation)"] } ?? []))
      .map(TextSafety.sanitised)
  }
}

extension Finding: Encodable {
  private enum CodingKeys: String, CodingKey { case name, state, text, advice, details }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(check, forKey: .name)
    try container.encode(state, forKey: .state)
    try container.encode(text.description, forKey: .text)
    try container.encodeIfPresent(advice?.description, forKey: .advice)
    if let details { try details.encode(to: container.superEncoder(forKey: .details)) }
  }
}
