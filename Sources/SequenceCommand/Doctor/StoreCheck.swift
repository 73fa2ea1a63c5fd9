import CSequenceLinux
import FoundationEssentials
import Glibc
import NotificationLedger
import Platform
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequenceRunner
import Store

/// The store: where it is, who may read it, and whether it is sound; whatever it is, it stays as it is.
struct StoreCheck {
  let directory: StateDirectory
  let reading: ClockReading

  /// What was found, and the store itself and its active run if it can be used.
  func findings() -> (finding: Finding, store: StoreReader?, run: ActiveRunSnapshot?) {
    let path = directory.databasePath
    do {
      guard try size() > 0 else { return (try missing(), nil, nil) }
      try requireWritable()
      guard let store = try StoreReader.checked(directory, participants: RunStore.completeParticipants) else {
        return (try missing(), nil, nil)
      }
      let run = try store.settledRun(at: reading)
      return (try finding(store, run), store, run)
    } catch StoreError.damaged(_, let reason) {
      let advice = "the next command moves it aside and keeps what can be read; copy it before, if it matters"
      return (Finding(.store, .error, "\(path) is damaged: \(reason)", advice: advice), nil, nil)
    } catch {
      return (Finding(.store, Failure(error)), nil, nil)
    }
  }

  private func finding(_ store: StoreReader, _ run: ActiveRunSnapshot?) throws -> Finding {
    let versions = try store.versions()
    let schema = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let size = try size()
    var parts = ["\(directory.databasePath) is sound", "\((size + 1023) / 1024) KiB"]
    parts.append(
      store.isCurrent
        ? "schema " + schema.joined(separator: " and ")
        : "of an older version, and brought up to date by the next command")
    let active = run.map { run in
      let state = run.position(at: reading).state.rawValue
      return "a run of \(quote(run.sequence.title)) is active (\(state))"
    }
    parts.append(active ?? "no run is active")
    let details = Details(
      path: directory.databasePath, size: size, schema: versions, run: run?.runID.uuidString)
    guard let open = try openFile() else {
      return Finding(.store, .ok, parts.joined(separator: ", "), details: details)
    }
    parts.append("others than you may use \(open.path)")
    let advice = "chmod \(open.isDirectory ? "700" : "600") \(open.path)"
    return Finding(.store, .warning, parts.joined(separator: ", "), advice: advice, details: details)
  }

  /// No store is there: whether one can be made.
  private func missing() throws -> Finding {
    if unsafe access(directory.path, F_OK) == 0 { try directory.requireOwned() }
    var place = AgentLauncher.absolute(directory.path)
    while place != "/", unsafe access(place, F_OK) != 0 {
      place = "/" + place.split(separator: "/").dropLast().joined(separator: "/")
    }
    guard unsafe access(place, W_OK | X_OK) == 0 else {
      throw StoreError.inaccessible(path: place, reason: SystemError(call: "", code: errno).reason)
    }
    return Finding(.store, .ok, "none is at \(directory.path) yet; the first run makes it")
  }

  /// The size of the database and its write-ahead log, in bytes.
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

  /// The first of the directory and its files that others than its owner may use.
  private func openFile() throws -> (path: String, isDirectory: Bool)? {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    for path in [directory.path] + names.map({ directory.path + "/" + $0 }) {
      // What is gone meanwhile is nobody's.
      guard let status = try status(path), status.kind != S_IFLNK else { continue }
      if status.rights & 0o077 != 0 || status.owner != geteuid() {
        return (path, status.kind == S_IFDIR)
      }
    }
    return nil
  }

  /// What a path names; `nil` if nothing.
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
    /// The id of the active run.
    let run: String?
  }
}
