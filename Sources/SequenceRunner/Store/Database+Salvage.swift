import CLinux
import Glibc

/// A new store, and what could be read of the damaged one.
struct SalvagedStore {
  let database: Database
  /// Where the damaged store is now; `nil` if another process had replaced it already.
  let movedTo: String?
  let run: ActiveRunSnapshot?
  let history: [EndedRun]
}

extension Database {
  /// Moves a damaged store aside under a dated name, and begins a new one.
  ///
  /// - Throws: `StoreError`; the damaged one is where it was then.
  static func replaceDamaged(
    in directory: StateDirectory, at reading: Reading, components: [SchemaComponent]
  ) throws -> SalvagedStore {
    let path = directory.databasePath
    let salvaged: (String, ActiveRunSnapshot?, [EndedRun])? = try withStoreLock(in: directory) {
      // Who waited for the lock may find that the work is done.
      guard let size = try fileSize(path), try isDamaged(path) else { return nil }
      // SQLite would remove the log of an empty one.
      let damaged = size < smallestSize ? nil : try? Database(path: path)
      // Nobody writes to it between this and its move, if it lets itself be locked at all.
      _ = try? damaged?.run("BEGIN IMMEDIATE")
      let (run, history) = damaged.map(readable) ?? (nil, [])
      let aside = try freeName(for: path, at: reading.wall)
      for suffix in ["", "-wal", "-shm"] { try rename(path + suffix, to: aside + suffix) }
      return (aside, run, history)
    }
    let database = try opened(in: directory, components: components)
    return SalvagedStore(
      database: database, movedTo: salvaged?.0, run: salvaged?.1, history: salvaged?.2 ?? [])
  }

  /// Whether a look at the whole file finds it damaged, or the run in it.
  private static func isDamaged(_ path: String) throws -> Bool {
    guard let size = try fileSize(path), size >= smallestSize else { return true }
    do {
      let database = try Database(path: path)
      try database.checkIntegrity()
      _ = try database.storedRun()
      _ = try database.history(since: Moment(microseconds: .min))
      return false
    } catch StoreError.damaged {
      return true
    }
  }

  /// What can be read of a damaged database: whatever fails here is what the damage took.
  private static func readable(_ database: Database) -> (run: ActiveRunSnapshot?, history: [EndedRun]) {
    let run = try? database.storedRun()?.snapshot
    // Row by row, so that one that is damaged does not take those before it along.
    var history: [EndedRun] = []
    let scanned: [Void]? = try? database.rows("SELECT snapshot, checksum, ended_at, outcome FROM history") {
      if let ended = try? database.endedRun($0) { history.append(ended) }
    }
    _ = scanned
    return (run, history)
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

  private static func rename(_ path: String, to aside: String) throws(StoreError) {
    do throws(SystemError) {
      _ = try SystemError.check("move \(path) aside") { unsafe Glibc.rename(path, aside) }
    } catch {
      // The write-ahead log and its index need not be there.
      guard error.code == ENOENT else { throw StoreError(error, path: path) }
    }
  }
}
