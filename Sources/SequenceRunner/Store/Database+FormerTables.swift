import FoundationEssentials
import SequenceStore

extension Database {
  /// Migrates the tables of the former component `told`, if the store has them.
  ///
  /// They hold the dispatch position and the cues chosen for the active run. The cues are now part of the
  /// run's snapshot.
  func takeOverFormerTables() throws(StoreError) {
    try run("DELETE FROM component WHERE name = 'told'")
    if try hasTable("told") {
      try execute(
        """
        INSERT INTO dispatch_position (
          id, run_id, run_started_at, place, step, started_at, elapsed, target, is_paused)
        SELECT id, run_id, run_started_at, place, step, started_at, elapsed, target, is_paused FROM told;
        DROP TABLE told;
        """)
    }
    guard try hasTable("run_cues") else { return }
    let choice = try rows("SELECT run_id, sound, speech FROM run_cues WHERE id = 1") {
      (run: UUID(uuidString: $0.text(0)), sound: $0.integer(1) != 0, speech: $0.integer(2) != 0)
    }.first
    if let choice, var run = try storedRun()?.snapshot, run.runID == choice.run {
      run.options = RunOptions(suspendPolicy: nil, sound: choice.sound, speech: choice.speech)
      try store(run)
    }
    try execute("DROP TABLE run_cues")
  }

  /// Begins the journal of the active run, estimates the activity of all runs, and takes over the dispatch position.
  ///
  /// Earlier versions had neither a journal nor activity, and stored the dispatch position as the state of a step.
  func journalStoredRuns() throws(StoreError) {
    for ended in try history(since: Moment(microseconds: .min)) {
      try estimateActivity(of: ended.snapshot, isEnded: true)
    }
    guard let active = try storedRun()?.snapshot else { return }
    try estimateActivity(of: active, isEnded: false)
    try beginJournal(of: active)
    let former = try rows(
      "SELECT run_id, place, step, elapsed FROM dispatch_position WHERE id = 1"
    ) { (run: $0.text(0), place: $0.text(1), step: Int($0.integer(2)), elapsed: $0.integer(3)) }.first
    guard let former, former.run == active.runID.uuidString, former.place == "within",
      let entry = try lastJournalEntry(of: active.runID)
    else { return }
    let chain = former.step < active.timeline.end ? active.chain : nil
    let time = chain.map {
      $0.time(ofStepAt: max(former.step, $0.first), elapsed: .nanoseconds(former.elapsed))
    }
    try store(
      dispatchPosition: EventPosition(entry: entry.number, time: max(.zero, time ?? .zero)))
  }

  private func hasTable(_ name: String) throws(StoreError) -> Bool {
    try rows("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", .text(name)) {
      $0.integer(0)
    } == [1]
  }
}
