import Platform
import Presentation
import SequenceFiles
import SequenceRunner

/// What the doctor found of one thing.
struct Finding {
  let check: Check
  let state: State
  /// What was found.
  let text: String
  /// What to do about it; `nil` if nothing needs to be done.
  var advice: String?
  /// What a script may want to know, as a document of its own.
  var details: (any Encodable)?

  init(
    _ check: Check, _ state: State, _ text: String, advice: String? = nil, details: (any Encodable)? = nil
  ) {
    self.check = check
    self.state = state
    self.text = text
    self.advice = advice
    self.details = details
  }

  /// A failure of the check.
  init(_ check: Check, _ failure: Failure) {
    self.init(check, .error, failure.problem, advice: failure.remedy)
  }

  /// What is looked at.
  enum Check: String, Encodable, CaseIterable {
    case program
    case bus
    case server
    case test
    case agent
    case sleep
    case store
    case configuration
    case clocks
    case hooks
    case cues
    case notifications

    /// What a user calls it.
    var title: String {
      switch self {
      case .program: "sequence-agent"
      case .bus: "session bus"
      case .server: "notification server"
      case .test: "test notification"
      case .agent: "agent"
      case .sleep: "sleep"
      case .store: "store"
      case .configuration: "configuration"
      case .clocks: "clocks"
      case .notifications: "notifications"
      case .hooks: "hooks"
      case .cues: "cues"
      }
    }
  }

  /// Whether it works.
  enum State: String, Encodable {
    case ok
    /// It works, and there is something to know about it.
    case warning
    /// It does not work.
    case error
  }

  /// The line that tells it.
  var line: String {
    let width = Check.allCases.map(\.title.count).max() ?? 0
    let said = text + (advice.map { "; \($0)" } ?? "")
    return TextSafety.sanitised("\(padded(state.rawValue, 7))  \(padded(check.title, width))  \(said)")
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Finding: Encodable {
  private enum CodingKeys: String, CodingKey { case name, state, text, advice, details }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(check, forKey: .name)
    try container.encode(state, forKey: .state)
    try container.encode(text, forKey: .text)
    try container.encodeIfPresent(advice, forKey: .advice)
    if let details { try details.encode(to: container.superEncoder(forKey: .details)) }
  }
}
