import SequencePlatform
package import SequencePresentation
package import SequenceRunner

/// A program of the user's that is run when something happens in a run.
package struct Hook: Equatable, Sendable {
  /// The events that start it.
  package let events: Set<RunEvent.Name>
  /// The steps that it is for; `nil` for all.
  package let condition: StepCondition?
  /// The remaining time of a countdown at its `remaining` event.
  package let remaining: Duration
  /// The name of the program, which is looked up in `PATH`, or its path.
  package let program: String
  package let arguments: [Template]
  /// How long it may take before it is killed.
  package let timeout: Duration

  /// How long a hook may take unless it says otherwise.
  package static let defaultTimeout = Duration.seconds(10)
  /// The remaining time of a countdown at a `remaining` event, unless the hook sets another one.
  package static let defaultRemaining = Duration.seconds(3)

  package init(
    events: Set<RunEvent.Name>, condition: StepCondition? = nil, remaining: Duration = defaultRemaining,
    program: String,
    arguments: [Template] = [],
    timeout: Duration = defaultTimeout
  ) {
    self.events = events
    self.condition = condition
    self.remaining = remaining
    self.program = program
    self.arguments = arguments
    self.timeout = timeout
  }

  /// Its name in reports: the program and its arguments, as written.
  package var name: String {
    TextSafety.sanitised(([program] + arguments.map(\.text)).joined(separator: " ").prefix(200).description)
  }

  /// Whether it is run for something that happened.
  package func isFor(_ event: RunEvent, in run: ActiveRunSnapshot) -> Bool {
    if case .remaining(let left) = event.kind, left != remaining { return false }
    return events.contains(event.kind.name) && condition?.holds(at: event, in: run) ?? true
  }
}

extension Configuration {
  /// The events of a run that hooks and cues subscribe to.
  package func subscribedEvents(of options: RunOptions) -> Set<RunEvent.Name> {
    hooks.reduce(into: cues.with(options).events) { $0.formUnion($1.events) }
  }
}
