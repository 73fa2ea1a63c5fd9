/// The environment variables that describe an event to a hook.
package enum HookVariable: String, CaseIterable, Sendable {
  case event = "SEQUENCE_EVENT"
  case at = "SEQUENCE_AT"
  case runID = "SEQUENCE_RUN_ID"
  case runName = "SEQUENCE_RUN_NAME"
  case title = "SEQUENCE_TITLE"
  case cardTitle = "SEQUENCE_CARD_TITLE"
  case cardNote = "SEQUENCE_CARD_NOTE"
  case stepNumber = "SEQUENCE_STEP_NUMBER"
  case stepCount = "SEQUENCE_STEP_COUNT"
  case round = "SEQUENCE_ROUND"
  case rounds = "SEQUENCE_ROUNDS"
  case nextTitle = "SEQUENCE_NEXT_TITLE"
  case duration = "SEQUENCE_DURATION"
  case elapsed = "SEQUENCE_ELAPSED"
  case remaining = "SEQUENCE_REMAINING"
  case outcome = "SEQUENCE_OUTCOME"
}
