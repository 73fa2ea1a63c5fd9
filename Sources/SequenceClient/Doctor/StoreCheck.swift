import CSequenceLinux
import FoundationEssentials
import Glibc
import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequencePlanning
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

/// Checks the place, the permissions and the integrity of the store, without modifying it.
struct StoreCheck {
  let directory: StateDirectory
  let clock: any ClockSource

  /// The finding, and the store and its active runs if it can be used.
  func findings() -> (finding: Finding, store: RunStore?, runs: [ActiveRunSnapshot]) {
    let path = directory.databasePath
    do {
      guard try status(path) != nil else { return (try missing(), nil, []) }
      try requireWritable()
      guard let store = try CompleteStore.check(directory, clock: clock)
      else {
        return (try missing(), nil, [])
      }
      let status = try store.peek()
      return (try finding(store, status), store, status.runs)
    } catch StoreError.damaged(_, let reason) {
      return (
        Finding(
          .store, .error, "\(path) is damaged: \(reason)",
          advice: "run sequence doctor --repair, which keeps it aside and recovers what is readable"
        ),
        nil, []
      )
    } catch {
      return (Finding(.store, error), nil, [])
    }
  }

  private func finding(_ store: RunStore, _ status: RunStatus) throws -> Finding {
    let versions = Dictionary(
      try (store.base.isCurrent ? store.database.componentVersions() : []).map { ($0.name, $0.version) }
    ) { first, _ in first }
    let size = try size()
    var parts: [LocalizedText] = [
      "\(directory.databasePath)", "\((size + 1023) / 1024) KiB", LocalizedText("intact"),
    ]
    if !store.base.isCurrent {
      parts.append(LocalizedText("of an older version, which the next command updates"))
    }
    let active = listed(
      status.statuses.compactMap(RunView.init).map {
        LocalizedText("\(quote($0.sequence)) (\($0.stateName))")
      })
    let runs =
      switch status.runs.count {
      case 0: LocalizedText("no active run")
      case 1: LocalizedText("active run: \(active)")
      default: LocalizedText("active runs: \(active)")
      }
    parts.append(runs)
    let details = Details(
      path: directory.databasePath, size: size, schema: versions, run: status.run?.runID.uuidString)
    guard let open = try openFile() else {
      return Finding(.store, .ok, listed(parts), details: details)
    }
    parts.append(LocalizedText("but other users can access \(open.path)"))
    let advice: LocalizedText = "chmod \(open.isDirectory ? "700" : "600") \(open.path)"
    return Finding(.store, .warning, listed(parts), advice: advice, details: details)
  }

  /// The finding without a store, after a check that one can be created.
  private func missing() throws -> Finding {
    if unsafe access(directory.path, F_OK) == 0 { try directory.requireOwned() }
    var place = absolutePath(directory.path)
    while place != "/", unsafe access(place, F_OK) != 0 {
      place = "/" + pathParts(place).dropLast().joined(separator: "/")
    }
    guard unsafe access(place, W_OK | X_OK) == 0 else {
      throw StoreError.inaccessible(path: place, reason: SystemError(call: "", code: errno).reason)
    }
    return Finding(.store, .ok, "none yet; the first run creates it in \(directory.path)")
  }

  private func size() throws -> Int {
    var size = 0
    for suffix in ["", "-wal"] { size += try status(directory.databasePath + suffix)?.size ?? 0 }
    return size
  }

  private func requireWritable() throws {
    for path in [directory.path, directory.databasePath] where unsafe access(path, R_OK | W_OK) != 0 {
      let error = SystemError(call: "", code: errno)
      throw error.code == EROFS
        ? StoreError.readOnly(path: path) : StoreError.inaccessible(path: path, reason: error.reason)
    }
  }

  /// The first path among the directory and its files that other users can access.
  private func openFile() throws -> (path: String, isDirectory: Bool)? {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    for path in [directory.path] + names.map({ directory.path + "/" + $0 }) {
      // A file may have been removed since the listing.
      guard let status = try status(path), status.kind != S_IFLNK else { continue }
      if status.rights & 0o077 != 0 || status.owner != geteuid() {
        return (path, status.kind == S_IFDIR)
      }
    }
    return nil
  }

  private func status(_ path: String) throws -> (size: Int, kind: mode_t, rights: mode_t, owner: uid_t)? {
    var status = stat()
    do throws(SystemError) {
      _ = try SystemError.check("look at \(path)") { unsafe lstat(path, &status) }
    } catch {
      guard error.code == ENOENT else { throw StoreError.inaccessible(path: path, reason: error.reason) }
      return nil
    }
    return (Int(status.st_size), status.st_mode & S_IFMT, status.st_mode & 0o777, status.st_uid)
  }

  private struct Details: Encodable {
    let path: String
    /// In bytes, with the write-ahead log.
    let size: Int
    let schema: [String: Int]
    let run: String?
  }
}

/// Checks for notifications of the last week that failed or were missed.
enum DeliveryCheck {
  private static let week = Duration.seconds(7 * 24 * 60 * 60)

  /// - Parameter store: `nil` if there is no usable store.
  static func finding(_ store: RunStore?, at reading: ClockReading) -> Finding {
    guard let store, store.base.isCurrent else {
      return Finding(.notifications, .ok, "none yet")
    }
    do {
      let ledger = Ledger(database: store.database)
      let since = reading.wall.advanced(by: .zero - week)
      let all = try ledger.entries(in: .allSequences)
      let entries = all.filter { [.failed, .missed].contains($0.state) && $0.updated >= since }
      guard let last = entries.max(by: { $0.updated < $1.updated }) else {
        let waiting = all.count {
          $0.state == .pending && reading.elapsed(since: $0.due) > Lateness.notification
        }
        guard waiting > 0 else { return Finding(.notifications, .ok, "no failures in the last week") }
        return Finding(
          .notifications, .warning, "\(waiting) due, but not shown yet",
          advice: "to list them, run sequence notifications")
      }
      let failed = entries.count { $0.state == .failed }
      let reason = last.reason?.sentence ?? LocalizedText("no reason")
      let text = LocalizedText(
        """
        \(failed) failed and \(entries.count - failed) missed in the last week, the last on \
        \(LocalTime.text(of: last.updated)): \(reason)
        """)
      return Finding(
        .notifications, .warning, text, advice: "to list them, run sequence notifications",
        details: Details(
          failed: failed, missed: entries.count - failed, last: last.updated.description,
          reason: last.reason?.sentence.description, reasonCode: last.reason?.code))
    } catch {
      return Finding(.notifications, error)
    }
  }

  private struct Details: Encodable {
    let failed: Int
    let missed: Int
    let last: String
    let reason: String?
    let reasonCode: String?
  }
}
