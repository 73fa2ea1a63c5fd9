import NotificationLedger
import Platform
import SequenceNotifications
import SequenceRunner
import Store

/// The run of a directory, for any number of tasks. The store stays inside the actor, and only values leave it.
actor Runs {
  private let store: RunStore

  init(directory: StateDirectory) throws {
    store = try RunStore.withNotifications(in: directory, clock: SystemClock())
  }

  func settle() throws -> RunStatus { try store.settle() }

  func start(_ timeline: Timeline) throws -> RunStatus { try store.start(timeline) }

  func perform(_ command: RunCommand, onStep step: Int? = nil) throws -> PerformedCommand {
    try store.perform(command, onStep: step)
  }
}
