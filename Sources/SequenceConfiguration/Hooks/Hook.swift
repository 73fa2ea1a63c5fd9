import Platform
package import Presentation
package import SequenceRunner

/// A program of the user's that is run when something happens in a run.
package struct Hook: Equatable, Sendable {
  /// What it is run for.
  package let events: Set<RunEvent.Name>
  /// What is left of a countdown when `last` happens.
  package let last: Duration
  /// The name of the program, which is looked up in `PATH`, or its path.
  package let program: String
  package let arguments: [Template]
  /// How long it may take before it is killed.
  package let timeout: Duration

  /// How long a hook may take unless it says otherwise.
  package static let defaultTimeout = Duration.seconds(10)
  /// What is left of a countdown when `last` happens, unless the hook says otherwise.
  package static let defaultLast = Duration.seconds(3)

  package init(
    events: Set<RunEvent.Name>, last: Duration = defaultLast, program: String, arguments: [Template] = [],
    timeout: Duration = defaultTimeout
  ) {
    self.events = events
    self.last = last
    self.program = program
    self.arguments = arguments
    self.timeout = timeout
  }

  /// What it is called in reports: the program and its arguments, as they are written.
  package var name: String {
    TextSafety.sanitised(([program] + arguments.map(\.text)).joined(separator: " ").prefix(200).description)
  }

  /// Whether it is run for something that happened.
  package func isFor(_ event: RunEvent) -> Bool {
    if case .last(let left) = event.kind, left != last { return false }
    return events.contains(event.kind.name)
  }
}

extension Configuration {
  /// The events of a run that hooks and cues subscribe to.
  package func subscribedEvents(of options: RunOptions) -> Set<RunEvent.Name> {
    hooks.reduce(into: cues.with(options).events) { $0.formUnion($1.events) }
  }
}
