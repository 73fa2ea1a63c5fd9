package import FoundationEssentials
package import SequenceRunner
package import Store

/// What was to be heard of a run, as its start said, whatever the configuration has.
package struct CueChoice: Equatable, Sendable {
  package let runID: UUID
  package let sound: Bool
  package let speech: Bool

  package init(runID: UUID, sound: Bool, speech: Bool) {
    self.runID = runID
    self.sound = sound
    self.speech = speech
  }
}

extension CueChoice {
  /// Whether there is anything to hear.
  package var isWanted: Bool { sound || speech }
}

extension ToldLedger {
  /// The choice that was made last; `nil` if none ever was.
  package func cueChoice() throws(StoreError) -> CueChoice? {
    try database.rows("SELECT run_id, sound, speech FROM run_cues WHERE id = 1") {
      row throws(StoreError) -> CueChoice in
      guard let runID = UUID(uuidString: row.text(0)) else {
        throw .damaged(path: database.path, reason: "\(row.text(0)) is no id of a run")
      }
      return CueChoice(runID: runID, sound: row.integer(1) != 0, speech: row.integer(2) != 0)
    }.first
  }

  /// Keeps a choice, in the place of that of the run before.
  package func store(_ choice: CueChoice) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO run_cues (id, run_id, sound, speech) VALUES (1, ?, ?, ?)",
      .text(choice.runID.uuidString), .integer(choice.sound ? 1 : 0), .integer(choice.speech ? 1 : 0))
  }
}

extension RunStore {
  /// Keeps what is to be heard of a run.
  package func choose(_ choice: CueChoice) throws {
    try repairing { try database.transaction { try told.store(choice) } }
  }
}
