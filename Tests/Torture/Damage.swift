import Foundation
import Glibc
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceStore
import TestSupport

struct Damage {
  private let tally: Tally
  /// A store without users and without a write-ahead log.
  private let atRest: Bench
  /// A store whose last user was killed, with a log of several commits.
  private let unfinished: Bench
  /// The states in the order of the commits; a truncated log leads back to an earlier state.
  private let past: [StoredState]

  init(_ tally: Tally) throws {
    self.tally = tally
    atRest = try Bench()
    try atRest.addTimer()
    for deed in [Deed.start, .next, .replace, .next, .extend] { try atRest.succeed(deed) }
    atRest.killAgents()
    try FileManager.default.removeItem(atPath: atRest.state + "/agent.lock")
    var past = [try StoredState.read(atRest.state)]
    unfinished = try Bench(copying: atRest)
    let other = try unfinished.begin(["status", "--follow"])
    _ = try other.line()
    for deed in [Deed.extend, .pause, .resume, .replace, .extend] {
      try unfinished.succeed(deed)
      past.append(try StoredState.read(unfinished.state))
    }
    // Otherwise a follower would replace the agent.
    other.signal(SIGSTOP)
    unfinished.killAgents()
    other.signal(SIGKILL)
    _ = try other.exitStatus()
    self.past = past
  }

  func run() throws {
    try truncate()
    try replace()
    try refuse()
    for column in ["sequence", "snapshot"] { try change(column) }
    try damageSchema()
    for number in 0..<tally.options.damages {
      let name = "flip/\(number)"
      var random = tally.randomness(for: name)
      try damage(name, atRest, "sequence.db") { DamagedBytes.flipped($0, &random) }
    }
    for number in 0..<tally.options.damages / 3 {
      let name = "wal-flip/\(number)"
      var random = tally.randomness(for: name)
      try damage(name, unfinished, "sequence.db-wal") { DamagedBytes.flipped($0, &random) }
      let page = "page/\(number)"
      random = tally.randomness(for: page)
      try damage(page, number.isMultiple(of: 2) ? atRest : unfinished, "sequence.db") {
        DamagedBytes.withPageReplaced($0, &random)
      }
    }
  }

  /// Damages the pages that lead to all tables, and hold no row of them.
  private func damageSchema() throws {
    let sound = try Bench(copying: atRest)
    let pages = try withExtendedLifetime(sound) {
      try Database(path: sound.databasePath).rows("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'") {
        Int($0.integer(0)) - 1
      }
    }
    for number in 0..<tally.options.damages / 3 {
      let name = "schema/\(number)"
      var random = tally.randomness(for: name)
      let page = pages.randomElement(using: &random) ?? 0
      // A changed version or application id could be that of another program.
      let ids = 60..<72
      var place = Int.random(in: 0..<4096, using: &random)
      if page == 0, ids.contains(place) { place = ids.upperBound }
      let bit = UInt8.random(in: 0..<8, using: &random)
      try damage(name, atRest, "sequence.db", losesNothing: true) { data in
        var bytes = [UInt8](data)
        bytes[page * 4096 + place] ^= 1 << bit
        return Data(bytes)
      }
    }
  }

  private func truncate() throws {
    let odd = [1, 15, 16, 99, 100, 101, 4095, 4097]
    for length in Array(stride(from: 0, to: try size(atRest, "sequence.db"), by: 1024)) + odd {
      try damage("truncate/\(length)", atRest, "sequence.db") { $0.prefix(length) }
      try damage("truncate-with-log/\(length)", unfinished, "sequence.db") { $0.prefix(length) }
    }
    for length in Array(stride(from: 0, to: try size(unfinished, "sequence.db-wal"), by: 1030)) + [
      1, 31, 32, 33,
    ] {
      try damage("wal-truncate/\(length)", unfinished, "sequence.db-wal") { $0.prefix(length) }
    }
  }

  private func replace() throws {
    for size in [1, 100, 4096, 40_000] {
      for file in ["sequence.db", "sequence.db-wal", "sequence.db-shm"] {
        let name = "garbage/\(file)/\(size)"
        var random = tally.randomness(for: name)
        try damage(name, unfinished, file) { _ in DamagedBytes.random(size, &random) }
        try damage("zeros/\(file)/\(size)", unfinished, file) { _ in Data(count: size) }
      }
    }
    for file in ["sequence.db-wal", "sequence.db-shm"] {
      let name = "missing/\(file)"
      tally.attempt(name) {
        let bench = try Bench(copying: unfinished)
        try FileManager.default.removeItem(atPath: bench.state + "/" + file)
        tally.countFault()
        try judge(bench, file)
      }
    }
  }

  /// Checks that files of a newer version or another program are left unchanged.
  private func refuse() throws {
    let versions = try Database.untouched(atRest.databasePath)
      .rows("SELECT version FROM component WHERE name = 'runs'") { $0.integer(0) }
    let changes: [(String, String, (String) -> StoreError)] = [
      (
        "newer", "PRAGMA user_version = 99",
        { .newer(path: $0, reason: "it has database 99, and this program knows 1") }
      ),
      (
        "newer-part", "UPDATE component SET version = 99 WHERE name = 'runs'",
        { .newer(path: $0, reason: "it has runs 99, and this program knows \(versions[0])") }
      ),
      ("stranger", "PRAGMA application_id = 42", { .foreign(path: $0) }),
      ("stranger-without-name", "PRAGMA application_id = 0", { .foreign(path: $0) }),
    ]
    for (name, change, error) in changes {
      tally.attempt(name) {
        let bench = try Bench(copying: atRest)
        let reason = explained(error(bench.databasePath))
        try Database(path: bench.databasePath).execute(change)
        try FileManager.default.removeItem(atPath: bench.state + "/store.lock")
        let before = FileManager.default.contents(atPath: bench.databasePath)
        tally.countFault()
        for deed in [Deed.status, .start, .extend] {
          let output = try bench.run(deed.words)
          guard output.status == 74, output.errors == "sequence: \(reason)\n" else {
            throw Violation("\(deed) exits with \(output.status): \(output.errors)")
          }
        }
        guard FileManager.default.contents(atPath: bench.databasePath) == before else {
          throw Violation("the file was changed")
        }
        tally.count("refused, untouched")
      }
    }
  }

  /// Checks that a changed byte in the stored run, in an otherwise intact file, does not become a run.
  ///
  /// - Parameter column: the sequence or the snapshot.
  private func change(_ column: String) throws {
    let last = past[0]
    let rows = try Database(path: atRest.databasePath).rows(
      "SELECT \(column) FROM active_run WHERE run_id = ?", .text(last.runID)
    ) { $0.text(0) }
    let text = Array((rows.first ?? "").utf8)
    for index in stride(from: 0, to: text.count, by: 11) {
      tally.attempt("\(column)/\(index)") {
        let bench = try Bench(copying: atRest)
        var changed = text
        changed[index] ^= 1
        try Database(path: bench.databasePath).run(
          "UPDATE active_run SET \(column) = ? WHERE run_id = ?",
          .text(String(decoding: changed, as: UTF8.self)), .text(last.runID))
        tally.countFault()
        let output = try bench.run(Deed.status.words)
        let notice = try DamageVerdict(bench: bench, allowed: [last]).notice(in: output)
        // Only this run is damaged.
        let history = try bench.run(["history", "--json"])
        guard history.text.contains(#""outcome":"lost""#) else {
          throw Violation("the run is not in the history: \(history.text)")
        }
        guard let notice, notice.keptRuns == 1, notice.keptHistory == last.history.count,
          try Answer(output.text).run == last.other?.runID.uuidString
        else { throw Violation("the status is \(output.text), \"\(output.errors)\"") }
        tally.count("moved aside")
      }
    }
  }

  private func size(_ bench: Bench, _ file: String) throws -> Int {
    try Data(contentsOf: URL(filePath: bench.state + "/" + file)).count
  }

  private func damage(
    _ name: String, _ template: Bench, _ file: String, losesNothing: Bool = false, _ change: (Data) -> Data
  ) throws {
    tally.attempt(name) {
      let bench = try Bench(copying: template)
      let url = URL(filePath: bench.state + "/" + file)
      let data = (try? Data(contentsOf: url)) ?? Data()
      try Data(change(data)).write(to: url)
      tally.countFault()
      try judge(bench, file, losesNothing: losesNothing)
    }
  }

  private func judge(_ bench: Bench, _ file: String, losesNothing: Bool = false) throws {
    let isOfLog = file != "sequence.db" || FileManager.default.fileExists(atPath: bench.databasePath + "-wal")
    let allowed = isOfLog ? past : Array(past.prefix(1))
    let agent = try bench.keepAgentsAway()
    try withExtendedLifetime(agent) {
      try DamageVerdict(bench: bench, allowed: allowed, losesNothing: losesNothing).judge(tally)
    }
  }
}

extension Database {
  fileprivate func number(_ query: String) throws -> Int {
    let numbers = try rows(query) { Int($0.integer(0)) }
    guard let number = numbers.first else { throw TestSupportError("\(query) gives nothing") }
    return number
  }
}

extension Bench {
  func succeed(_ deed: Deed) throws {
    let output = try run(deed.words)
    guard output.status == 0 else { throw Violation("\(deed) exits with \(output.status): \(output.errors)") }
  }
}
