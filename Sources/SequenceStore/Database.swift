import CSequenceLinux
import CSequenceSQLite
import Glibc
import SequencePlatform
import Synchronization

/// A connection to an SQLite database.
///
/// Every statement is prepared once and bound each time; every status code is checked. Any thread may use it, and waits
/// while another one carries out a statement; who needs several in a row lets in one thread at a time, as `OpenStore`
/// does.
@safe package final class Database: Sendable {
  package let path: String
  private let file: FileIdentity?
  /// The file as it was declared immutable to SQLite, which then never looks whether its pages have changed.
  private let immutable: FileVersion?
  /// Each use of the connection and its statements is inside, so SQLite need not lock them, and a column is read
  /// without a lock.
  private let entrance = Entrance()
  /// Nothing is called back under this lock.
  private let state: Mutex<State>

  @safe private struct State {
    /// The connection; `nil` once it is closed.
    var connection: OpaquePointer?
    /// The prepared statements, in the order of their first use: a few dozen, which a command that uses ten of them
    /// finds faster than it makes a dictionary.
    var statements: [(sql: String, statement: Statement)] = []
    var isInTransaction = false
    /// Whether no transaction is left open that could not be undone; only closing the connection ends such a one.
    var isUsable = true
    var decoded: (revision: Int64, value: any Sendable)?
    var wasMigrated = false
    var incompleteTables: Set<String> = []
    var checkedChange: Int64?
    /// The write-ahead log and its index that are used; `nil` until they are known.
    var log: LogFiles?

    init(_ connection: OpaquePointer) { unsafe self.connection = connection }
  }

  package private(set) var isInTransaction: Bool {
    get { state.withLock(\.isInTransaction) }
    set { state.withLock { $0.isInTransaction = newValue } }
  }
  /// The value that the owner of a table decoded or stored last, valid as long as the stored revision is the same.
  package var decoded: (revision: Int64, value: any Sendable)? {
    get { state.withLock { $0.decoded } }
    set { state.withLock { $0.decoded = newValue } }
  }
  /// The tables with rows that `readableRows` couldn't read.
  package internal(set) var incompleteTables: Set<String> {
    get { state.withLock(\.incompleteTables) }
    set { state.withLock { $0.incompleteTables = newValue } }
  }
  /// Whether it had an earlier version until it was opened here.
  package internal(set) var wasMigrated: Bool {
    get { state.withLock(\.wasMigrated) }
    set { state.withLock { $0.wasMigrated = newValue } }
  }
  /// SQLite's counter of changes by other connections when the versions were checked last.
  var checkedChange: Int64? {
    get { state.withLock(\.checkedChange) }
    set { state.withLock { $0.checkedChange = newValue } }
  }
  private var isUsable: Bool {
    get { state.withLock(\.isUsable) }
    set { state.withLock { $0.isUsable = newValue } }
  }

  package convenience init(path: String) throws(StoreError) {
    try self.init(path: path, name: path, flags: SQLITE_OPEN_READWRITE)
  }

  /// - Parameters:
  ///   - name: the name for SQLite: the path, or a URI of it.
  ///   - version: the version of a file that is declared immutable by the URI.
  init(
    path: String, name: String, flags: Int32, immutable version: FileVersion? = nil
  ) throws(StoreError) {
    self.path = path
    immutable = version
    // Before it is opened: an identity that is too old leads to one more opening, one that is too new to a commit into
    // a file that was moved aside.
    file = FileIdentity(path: path)
    var opened: OpaquePointer?
    let status = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard status == SQLITE_OK, let connection = unsafe opened else {
      let error = unsafe StoreError(status: status, connection: opened, path: path)
      // A connection that could not be opened has to be closed too; it has nothing left to fail at.
      _ = unsafe sqlite3_close_v2(opened)
      throw error
    }
    // They fail for a closed connection only.
    _ = unsafe sqlite3_extended_result_codes(connection, 1)
    _ = unsafe sqlite3_busy_timeout(connection, Database.busyTimeout)
    state = Mutex(unsafe State(connection))
  }

  deinit { close() }

  /// Ends the connection; every later use throws `StoreError.replaced`.
  ///
  /// All connections of a process share one index of the log. So a connection to a log that was removed is closed
  /// before another one is opened.
  func close() {
    entrance.pass {
      // A query that is being read keeps its statement, and SQLite the connection until then.
      state.withLock { $0.statements = [] }
      // The last connection copies its log into the database, and removes the log at the path. Neither may happen with
      // a log that was removed, because the database may have changed since. This fails for a closed connection only.
      let mayCheckpoint = !LogFiles.isIndexCutOff(of: path) && isInPlace
      state.withLock { state in
        // `isInPlace` may have closed it.
        guard let connection = unsafe state.connection else { return }
        if !mayCheckpoint { _ = unsafe sequence_sqlite3_no_checkpoint_on_close(connection) }
        state.isUsable = false
        // Whatever is still open is rolled back; closing has no failure that anybody could act on.
        _ = unsafe sqlite3_close_v2(connection)
        unsafe state.connection = nil
      }
    }
  }

  /// Makes SQLite allocate memory on demand instead of in advance, for the whole process.
  ///
  /// Touching unused memory takes a seventh of the run time of a short command. Only a program may call this, before
  /// any other use of SQLite.
  ///
  /// - Throws: `StoreError.unexpected` if SQLite was used before.
  package static func useMemoryOnDemand() throws(StoreError) {
    for status in [sequence_sqlite3_page_cache_on_demand(), sequence_sqlite3_no_lookaside()] {
      guard status == SQLITE_OK else {
        throw .unexpected(path: "SQLite", reason: "its memory cannot be set (SQLite \(status))")
      }
    }
  }

  /// Whether the files that were opened are still those at their paths and stay there, and the connection can still be
  /// used.
  package var isInPlace: Bool {
    guard isUsable, hasSameFile, !Database.isBeingReplaced(path) else { return false }
    if let immutable { return immutable == FileVersion(path: path) && !Database.hasLog(path) }
    guard let log = state.withLock({ $0.log }) else { return true }
    guard !LogFiles.isIndexCutOff(of: path) else {
      // Reading the missing part of the memory that it maps would end this process.
      close()
      return false
    }
    return log.isThere && log == LogFiles(of: path) && !isLogCutOff
  }

  /// Whether the database that was opened is still at its path, whatever happened to its log.
  var hasSameFile: Bool { file != nil && file == FileIdentity(path: path) }

  /// Records which log is used: the first reading opens it, and only the last connection removes it.
  ///
  /// - Throws: `StoreError.replaced` if another connection still uses a log that was removed or cut off.
  func rememberLog() throws(StoreError) {
    state.withLock { $0.log = LogFiles(of: path) }
    guard isInPlace else { throw .replaced(path: path) }
  }

  /// Refuses a log that was cut off, or replaced by a shorter one, while another connection uses it.
  func requireWholeLog() throws(StoreError) {
    if isLogCutOff { throw .replaced(path: path) }
  }

  private var isLogCutOff: Bool {
    entrance.pass { state.withLock { unsafe sequence_sqlite3_is_log_cut_off($0.connection) != 0 } }
  }

  /// Opens a store, as soon as no other process uses a log that was removed: each closes it when it notices that.
  package static func retrying<Result>(
    _ open: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var tries = 1
    while true {
      do throws(StoreError) {
        return try open()
      } catch {
        guard case .replaced = error, tries < Database.mostTries else { throw error }
        usleep(10_000)
        tries += 1
      }
    }
  }

  /// Two seconds.
  private static let mostTries = 200

  var isLogged: Bool {
    get throws(StoreError) { try rows("PRAGMA journal_mode", make: { $0.text(0) }) == ["wal"] }
  }

  /// Returns how many rows the statement changed.
  @discardableResult
  package func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int { try run(sql, values) }

  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
    try entrance.pass { () throws(StoreError) in
      let statement = try prepared(sql)
      defer { statement.reset() }
      try check(statement.bind(values))
      while try step(statement) {}
      return state.withLock { Int(unsafe sqlite3_changes64($0.connection)) }
    }
  }

  package func rows<Result>(
    _ sql: String, _ values: SQLValue..., make: (SQLRow) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    try rows(sql, values, make: make)
  }

  package func rows<Result>(
    _ sql: String, _ values: [SQLValue], make: (SQLRow) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    // The block returns nothing, so that no type is made at run time to pass its result.
    try entrance.pass { () throws(StoreError) in
      let statement = try prepared(sql)
      defer { statement.reset() }
      try check(statement.bind(values))
      let row = SQLRow(statement: statement)
      while try step(statement) { results.append(try make(row)) }
    }
    return results
  }

  /// Runs statements that return nothing and take no values, separated by semicolons.
  package func execute(_ script: String) throws(StoreError) {
    try entrance.pass { () throws(StoreError) in
      try requireOpen()
      try check(state.withLock { unsafe sqlite3_exec($0.connection, script, nil, nil, nil) })
    }
  }

  /// Runs a block as one transaction, during which no other process can write.
  ///
  /// The changes of the block are rolled back if it throws, or if the commit fails.
  ///
  /// - Throws: `StoreError.replaced` if another file has taken the place of the opened file; changes would be lost.
  package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try writing(body) { $0 }
  }

  /// Runs a block as one transaction, whose failures are of the block's type.
  package func writing<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result, _ failure: (StoreError) -> Failure
  ) throws(Failure) -> Result {
    try transaction("BEGIN IMMEDIATE", undo: "ROLLBACK", failure) { () throws(Failure) in
      // Who replaces a store holds this lock while it is read and renamed.
      guard isInPlace else { throw failure(.replaced(path: path)) }
      return try body()
    }
  }

  /// Runs a block that only reads, and reads everything as it was at one moment.
  package func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try transaction("BEGIN", undo: "ROLLBACK", { $0 }, body)
  }

  /// Runs a block as a transaction; whatever fails first is thrown, even if undoing fails too.
  ///
  /// - Parameters:
  ///   - undo: the statement that undoes it.
  ///   - failure: makes an error of the block's type of an error of the store.
  func transaction<Result, Failure: Error>(
    _ begin: String, undo: String, _ failure: (StoreError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!isInTransaction, "transactions do not nest")
    do throws(StoreError) { try run(begin) } catch { throw failure(error) }
    isInTransaction = true
    defer { isInTransaction = false }
    do throws(Failure) {
      let result = try body()
      do throws(StoreError) {
        try run("COMMIT")
      } catch {
        // If this fails too, the next commit overwrites the rest of this one.
        try? undoCommit()
        throw failure(error)
      }
      return result
    } catch {
      // After a rollback, the next commit reuses the revision for another value.
      decoded = nil
      // A commit that failed may have ended the transaction already; then there is nothing to undo.
      if hasOpenTransaction {
        do { try run(undo) } catch { isUsable = false }
      }
      throw error
    }
  }

  /// Makes sure that a failed commit does not take effect later.
  ///
  /// If its pages are in the write-ahead log and only the disk could not confirm that, the next reader of the log takes
  /// them for committed. The next commit overwrites them: this is a commit without changes.
  private func undoCommit() throws(StoreError) {
    try requireOpen()
    if hasOpenTransaction { try run("ROLLBACK") }
    guard try isLogged else { return }
    let version = try rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0
    try execute("PRAGMA user_version = \(version)")
  }

  private var hasOpenTransaction: Bool {
    entrance.pass {
      state.withLock { unsafe $0.connection != nil && sqlite3_get_autocommit($0.connection) == 0 }
    }
  }

  /// How long a statement waits for another process that is writing, in milliseconds.
  private static let busyTimeout: Int32 = 5000
  /// Waits until no other process is in the middle of writing, so that its changes can be read.
  ///
  /// A process that is woken by a write to the log can be early: the log is written some time before its content
  /// counts.
  ///
  /// - Throws: `StoreError.busy` if the other process takes longer than 250 ms.
  package func awaitWriter() throws(StoreError) {
    // A commit takes about a millisecond. SQLite's own time limit tries again after 1, 3, 8 and 18 ms, and the user
    // would see the change that much later.
    let wait: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { _, tries in
      guard tries < 140 else { return 0 }
      usleep(tries < 20 ? 250 : 2000)
      return 1
    }
    try entrance.pass { () throws(StoreError) in
      try requireOpen()
      // Setting a handler or a time limit fails for a closed connection only.
      state.withLock { _ = unsafe sqlite3_busy_handler($0.connection, wait, nil) }
      defer { state.withLock { _ = unsafe sqlite3_busy_timeout($0.connection, Database.busyTimeout) } }
      try run("BEGIN IMMEDIATE")
      try run("ROLLBACK")
    }
  }

  /// How many instructions SQLite has carried out for statements so far: what they cost, but for the disk.
  package var instructionCount: Int {
    entrance.pass { state.withLock { $0.statements.reduce(0) { $0 + $1.statement.instructionCount } } }
  }

  package func runCount(ofStatementsWith text: String) -> Int {
    entrance.pass {
      state.withLock { $0.statements.reduce(0) { $0 + ($1.sql.contains(text) ? $1.statement.runCount : 0) } }
    }
  }

  private func prepared(_ sql: String) throws(StoreError) -> Statement {
    try requireOpen()
    let (status, statement) = state.withLock { state -> (Int32, Statement?) in
      if let known = state.statements.first(where: { $0.sql == sql }) { return (SQLITE_OK, known.statement) }
      var handle: OpaquePointer?
      let status = unsafe sqlite3_prepare_v3(
        state.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
      guard status == SQLITE_OK, let handle = unsafe handle else { return (status, nil) }
      let statement = unsafe Statement(handle)
      state.statements.append((sql, statement))
      return (status, statement)
    }
    try check(status)
    guard let statement else { throw .unexpected(path: path, reason: "an empty statement") }
    return statement
  }

  private func requireOpen() throws(StoreError) {
    if state.withLock({ unsafe $0.connection == nil }) { throw .replaced(path: path) }
  }

  /// Returns whether there is another row.
  private func step(_ statement: Statement) throws(StoreError) -> Bool {
    try requireOpen()
    let status = statement.step()
    if status == SQLITE_ROW { return true }
    guard status == SQLITE_DONE else { throw error(status) }
    return false
  }

  private func check(_ status: Int32) throws(StoreError) {
    guard status == SQLITE_OK else { throw error(status) }
  }

  private func error(_ status: Int32) -> StoreError {
    // The log was removed or cut off while it was used. The index of the log is valid until all connections are closed.
    if status == sequence_sqlite3_short_read() {
      isUsable = false
      return .replaced(path: path)
    }
    return state.withLock { unsafe StoreError(status: status, connection: $0.connection, path: path) }
  }
}

private struct LogFiles: Equatable {
  private let log: FileIdentity?
  private let index: FileIdentity?

  init(of path: String) {
    log = FileIdentity(path: path + "-wal")
    index = FileIdentity(path: path + "-shm")
  }

  var isThere: Bool { log != nil && index != nil }

  /// Whether the index of a log is there and shorter than SQLite makes it.
  static func isIndexCutOff(of path: String) -> Bool {
    var status = stat()
    return unsafe stat(path + "-shm", &status) == 0 && status.st_size < 32_768
  }
}

extension StoreError {
  /// The status codes: https://www.sqlite.org/rescode.html.
  init(status: Int32, connection: OpaquePointer?, path: String) {
    let text = unsafe connection.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    let reason = LocalizedText(verbatim: "\(text) (SQLite \(status))")
    let code = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
    switch status & 0xff {
    // Files next to the database, such as the index of its log, have no status codes of their own for these.
    case SQLITE_IOERR where code == ENOSPC || code == EDQUOT: self = .full(path: path)
    case SQLITE_IOERR where code == EROFS: self = .readOnly(path: path)
    // What SQLite tried last to open may be missing, and that be all that it knows of.
    case SQLITE_CANTOPEN where unsafe access(path, W_OK) != 0 && errno == EROFS: self = .readOnly(path: path)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(path: path)
    case SQLITE_FULL: self = .full(path: path)
    case SQLITE_READONLY: self = .readOnly(path: path)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .inaccessible(path: path, reason: reason)
    // Every statement fits the tables that were made: if it cannot be prepared, the tables are not as they were made.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR:
      self = .damaged(path: path, reason: reason)
    case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL: self = .inputOutput(path: path, reason: reason)
    default: self = .unexpected(path: path, reason: reason)
    }
  }
}
