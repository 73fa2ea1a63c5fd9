import CSequenceLinux
import Glibc
import Platform
import Store

/// A damaged store, and what could be read of its runs.
struct SalvagedStore {
  /// The damaged store; `nil` if it cannot even be opened.
  let damaged: Database?
  let run: ActiveRunSnapshot?
  let history: [EndedRun]

  /// Reads what can be read: whatever fails here is what the damage took.
  init(_ damaged: Database?) {
    self.damaged = damaged
    run = try? damaged?.storedRun()?.snapshot
    // Row by row, so that one that is damaged does not take those before it along.
    var history: [EndedRun] = []
    let scanned: [Void]? = try? damaged?.rows(
      "SELECT snapshot, checksum, ended_at, outcome FROM history NOT INDEXED"
    ) { row in
      if let ended = try? damaged?.endedRun(row) { history.append(ended) }
    }
    _ = scanned
    self.history = history
  }
}

extension Database {
  /// Puts a new store in the place of a damaged one, which gets a dated name.
  ///
  /// The new one is whole before it takes the place, so that what was salvaged is not lost with the process.
  ///
  /// - Parameter fill: writes into the new store what could be read of the damaged one.
  /// - Returns: where the damaged store is now, and what could be read of it; `nil` if another process had replaced it
  ///   already.
  /// - Throws: `StoreError`; the damaged one is where it was then.
  static func replaceDamaged(
    in directory: StateDirectory, at reading: Reading, for participants: [any StoreParticipant],
    fill: (Database, SalvagedStore) throws -> Void
  ) throws -> (movedTo: String, salvaged: SalvagedStore)? {
    let path = directory.databasePath
    let components = RunStore.components(of: participants)
    return try withStoreLock(in: directory) {
      // Who waited for the lock may find that the work is done.
      guard let size = try fileSize(path), try isDamaged(path, participants) else { return nil }
      // SQLite would remove the log of an empty one.
      let damaged = size < smallestSize ? nil : try? Database(path: path)
      // Nobody writes to it between this and its move, if it lets itself be locked at all.
      _ = try? damaged?.run("BEGIN IMMEDIATE")
      return try withExtendedLifetime(damaged) { damaged in
        let salvaged = SalvagedStore(damaged)
        let aside = try freeName(for: path, at: reading.wall)
        try makeDraft(aside, components) { try fill($0, salvaged) }
        // The log first: beside the new store it would be taken for its own.
        for suffix in ["-wal", "-shm"] { try rename(path + suffix, to: aside + suffix) }
        try exchange(path, aside)
        try moved(path) { () throws(SystemError) in try syncDirectory(directory.path) }
        return (aside, salvaged)
      }
    }
  }

  /// Whether a look at the whole file finds it damaged, or a row in it, or what it says of its tables.
  private static func isDamaged(_ path: String, _ participants: [any StoreParticipant]) throws -> Bool {
    let components = RunStore.components(of: participants)
    guard let size = try fileSize(path), size >= smallestSize else { return true }
    do {
      let database = try Database(path: path)
      // What a newer version has written may make no sense here, and is none of this one's business.
      _ = try database.isCurrent(components)
      try database.checkIntegrity()
      if try database.isCurrent(components) {
        try database.checkRows(of: participants)
      } else {
        // The other rows of an earlier version have other columns.
        _ = try database.storedRun()
        _ = try database.history(since: Moment(microseconds: .min))
      }
      try database.rehearseMigration(to: components)
      return false
    } catch StoreError.damaged {
      return true
    }
  }

  /// A dated name that no file has, so that an earlier damaged store stays where it is.
  private static func freeName(for path: String, at moment: Moment) throws -> String {
    let stamp = moment.description.filter { $0.isNumber || $0.isLetter }
    for number in 1...1000 {
      let name = "\(path).damaged-\(stamp)" + (number == 1 ? "" : "-\(number)")
      var status = stat()
      if unsafe lstat(name, &status) != 0 { return name }
    }
    throw StoreError.inaccessible(path: path, reason: "a thousand damaged stores lie beside it")
  }

  /// Lets two files change names, at one moment where the file system can.
  private static func exchange(_ path: String, _ aside: String) throws(StoreError) {
    try moved(path) { () throws(SystemError) in
      do throws(SystemError) {
        _ = try SystemError.check("exchange \(path)") { unsafe sequence_exchange(path, aside) }
      } catch  where error.code == EINVAL || error.code == ENOSYS {
        let draft = path + ".new"
        let names = [(aside, draft), (path, aside), (draft, path)]
        for (old, new) in names {
          _ = try SystemError.check("rename \(old)") { unsafe Glibc.rename(old, new) }
        }
      }
    }
  }

  private static func moved(_ path: String, _ body: () throws(SystemError) -> Void) throws(StoreError) {
    do throws(SystemError) { try body() } catch { throw StoreError(error, path: path) }
  }

  private static func rename(_ path: String, to aside: String) throws(StoreError) {
    do throws(SystemError) {
      _ = try SystemError.check("move \(path) aside") { unsafe Glibc.rename(path, aside) }
    } catch {
      // The write-ahead log and its index need not be there.
      guard error.code == ENOENT else { throw StoreError(error, path: path) }
    }
  }
}
