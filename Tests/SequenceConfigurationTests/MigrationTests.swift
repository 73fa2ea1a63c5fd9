import Foundation
import NotifierLedger
import SequenceConfiguration
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Stores created by earlier versions.
struct MigrationTests {
  /// The table of notifications in the first version.
  private struct FirstVersion: StoreParticipant {
    static var component: SchemaComponent {
      SchemaComponent(
        name: SchemaComponent.notifications.name,
        migrations: Array(SchemaComponent.notifications.migrations.prefix(1)))
    }
    func runDidChange(_ change: RunChange, in database: Database) {}
  }

  @Test func `notifications planned by the first version are shown, one per sequence at a time`() throws {
    let directory = try TemporaryDirectory()
    let clock = ManualClock()
    let place = StateDirectory(path: directory.path)
    let sequence = UUID()
    let due = clock.now().advanced(by: .seconds(10))
    do {
      let old = try OpenRunStore(directory: place, clock: clock, participants: [FirstVersion()])
      for (name, kind) in [("finished", "runEnd"), ("card.\(UUID().uuidString).countdown", "stepEnd")] {
        try old.database.run(
          """
          INSERT INTO notification (identifier, kind, summary, body, due_wall, due_boot, boot_id, planned, state,
            updated_at) VALUES (?, ?, ?, '', ?, ?, ?, 1, 'pending', 0)
          """,
          .text("sequence.\(sequence.uuidString).\(name)"), .text(kind), .text(name),
          .integer(due.wall.microseconds), .integer(due.boot.nanoseconds), .text(due.bootID))
      }
    }
    let store = try OpenRunStore.complete(in: place, clock: clock)
    let entries = try store.ledger.entries(in: .sequence(sequence))
    #expect(entries.map(\.request.place) == Array(repeating: "sequence.\(sequence.uuidString)", count: 2))
    #expect(entries.map(\.request.kind) == [.runEnd, .stepEnd])
    #expect(entries.allSatisfy { $0.state == .pending && $0.request.actions.isEmpty && $0.refusals == 0 })
    #expect(entries.allSatisfy { $0.due == due && !$0.request.trigger.followsWallClock })
    clock.advance(by: .seconds(10))
    #expect(try store.ledger.nextDueTag(at: clock.now()) == "sequence.\(sequence.uuidString)")
  }
}
