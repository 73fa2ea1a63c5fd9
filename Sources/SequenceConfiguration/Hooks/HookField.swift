/// What a hook can be told of what happened.
package enum HookField: String, CaseIterable, Sendable {
  case event
  case at
  case runID = "run.id"
  case sequenceTitle = "sequence.title"
  case cardTitle = "card.title"
  case cardNote = "card.note"
  case stepIndex = "step.index"
  case stepCount = "step.count"
  case round
  case rounds
  case nextTitle = "next.title"
  case duration
  case elapsed
  case remaining

  /// The environment variable that has it.
  package var variable: String {
    guard self != .sequenceTitle else { return "SEQUENCE_TITLE" }
    return "SEQUENCE_" + rawValue.uppercased().split(separator: ".").joined(separator: "_")
  }
}
