import SequencePlatform
import SequencePresentation
import SequenceFiles
import SequenceRunner

package struct Finding: Sendable {
  package let check: Check
  package let state: State
  package let text: String
  package var advice: String?
  /// More information for scripts, as a document of its own.
  package var details: (any Encodable & Sendable)?

  init(
    _ check: Check, _ state: State, _ text: String, advice: String? = nil,
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

    package var title: String {
      switch self {
      case .program: "sequence-agent"
      case .path: "command"
      case .bus: "session bus"
      case .server: "notification server"
      case .test: "test notification"
      case .agent: "agent"
      case .sleep: "suspend"
      case .panel: "panel"
      case .store: "store"
      case .configuration: "configuration"
      case .clocks: "clocks"
      case .notifications: "notifications"
      case .hooks: "hooks"
      case .cues: "cues"
      }
    }
  }

  package enum State: String, Encodable {
    case ok
    case warning
    case error
  }

  /// - Parameter arrow: the sign in front of the remedy.
  package func lines(arrow: String) -> [String] {
    let width = Check.allCases.map(\.title.count).max() ?? 0
    let result =
      "\(TextWidth.padded(state.rawValue, to: 7))  \(TextWidth.padded(check.title, to: width))  \(text)"
    return [result, advice.map { "\(TextWidth.padded("", to: 7))  \(arrow) \($0)" }].compactMap { $0 }
      .map(TextSafety.sanitised)
  }
}

extension Finding: Encodable {
  private enum CodingKeys: String, CodingKey { case name, state, text, advice, details }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(check, forKey: .name)
    try container.encode(state, forKey: .state)
    try container.encode(text, forKey: .text)
    try container.encodeIfPresent(advice, forKey: .advice)
    if let details { try details.encode(to: container.superEncoder(forKey: .details)) }
  }
}
