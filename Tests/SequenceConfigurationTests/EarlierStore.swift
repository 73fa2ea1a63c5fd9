import Foundation
import NotifierLedger
import SequencePlatform
import SequenceConfiguration
import SequencePlanning
import SequenceRunner
import SequenceStore
import TestSupport

/// A store of an earlier version, unchanged and as opened by this version, with the clocks of that time.
struct EarlierStore {
  /// The unchanged database, for comparisons.
  let rows: Database
  let clock: ManualClock
  let store: OpenRunStore
  private let directory: TemporaryDirectory

  init(_ name: String) throws {
    let source = URL(filePath: BuiltProducts.repository + "Tests/Fixtures/stores/" + name)
    let clocks = try JSONDecoder().decode(
      Clocks.self, from: Data(contentsOf: source.appending(path: "reading.json")))
    clock = ManualClock(
      wall: Moment(microseconds: clocks.wall), boot: .nanoseconds(clocks.boot), bootID: clocks.bootID)
    directory = try TemporaryDirectory()
    for copy in ["left", "opened"] {
      try FileManager.default.createDirectory(
        atPath: directory.path + "/" + copy, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: source.path() + "/sequence.db", toPath: directory.path + "/\(copy)/sequence.db")
    }
    rows = try Database(path: directory.path + "/left/sequence.db")
    store = try OpenRunStore.complete(
      in: StateDirectory(path: directory.path + "/opened"), clock: clock)
  }

  private struct Clocks: Decodable {
    let wall: Int64
    let boot: Int64
    let bootID: String
  }

  /// Returns the unchanged active run; `nil` without one.
  func run() throws -> EarlierRun? {
    try rows.rows("SELECT snapshot FROM active_run") { $0.optionalText(0) }.first?.map {
      try JSONDecoder().decode(EarlierRun.self, from: Data($0.utf8))
    }
  }

  /// Returns the ended runs, newest first.
  func endedRuns() throws -> [EarlierEndedRun] {
    try rows.rows(
      """
      SELECT run_id, sequence_id, title, started_at, ended_at, outcome FROM history
      ORDER BY started_at DESC
      """
    ) { row in
      EarlierEndedRun(
        id: row.text(0), sequence: row.text(1), title: row.text(2), startedAt: row.integer(3),
        endedAt: row.integer(4), outcome: row.text(5))
    }
  }

  /// Returns the hook failures, sorted by name and kind.
  func failures() throws -> [EarlierFailure] {
    try rows.rows(
      "SELECT hook, kind, count, event, detail, first_at, last_at FROM hook_failure ORDER BY hook, kind"
    ) { row in
      EarlierFailure(
        hook: row.text(0), kind: row.text(1), count: Int(row.integer(2)), event: row.text(3),
        detail: row.text(4), firstAt: row.integer(5), lastAt: row.integer(6))
    }
  }

  /// Returns the notifications, sorted by time.
  func notifications() throws -> [EarlierNotification] {
    try rows.rows(
      """
      SELECT identifier, slot, kind, summary, body, actions, context, due_wall, due_boot, boot_id, follows_wall,
        state, reason, withdrawal, server_id, epoch, refusals, not_before, delivered_at, updated_at
      FROM notification ORDER BY due_wall, number
      """
    ) { EarlierNotification($0) }
  }
}

/// The current step of a run in an earlier snapshot.
struct EarlierRun: Decodable {
  let runID: UUID
  let startedAt: Int64
  let current: Step

  struct Step: Decodable {
    let startedAt: Int64
    let extended: Int64
    let clock: Clock
  }

  struct Clock: Decodable {
    let elapsed: Int64
    let since: ClockReading?
    let absence: Suspend?
  }

  struct ClockReading: Decodable {
    let wall: Int64
    let boot: Int64
    let bootID: String
  }

  struct Suspend: Decodable {
    let cause: String
    let since: ClockReading
    let until: ClockReading?
  }
}

/// A run in the earlier history, without its steps.
struct EarlierEndedRun: Equatable {
  let id, sequence, title: String
  let startedAt, endedAt: Int64
  let outcome: String
}

extension EarlierEndedRun {
  init(_ run: EndedRun) {
    self.init(
      id: run.snapshot.runID.uuidString, sequence: run.snapshot.sequence.id.uuidString,
      title: run.snapshot.sequence.title, startedAt: run.snapshot.startedAt.microseconds,
      endedAt: run.endedAt.microseconds, outcome: run.outcome == .finished ? "finished" : "stopped")
  }
}

/// A hook failure with its stored text.
struct EarlierFailure: Equatable {
  let hook, kind: String
  let count: Int
  let event, detail: String
  let firstAt, lastAt: Int64
}

extension EarlierFailure {
  /// Creates the comparable form of the present version's failure.
  init(_ failure: HookFailure) {
    let kind =
      switch failure.kind {
      case .notStarted: "not-started"
      case .failed: "failed"
      case .timeout: "time-over"
      case .missed: "missed"
      case .dropped: "dropped"
      }
    self.init(
      hook: failure.hook, kind: kind, count: failure.count, event: failure.event, detail: failure.detail,
      firstAt: failure.firstAt.microseconds, lastAt: failure.lastAt.microseconds)
  }
}

/// A notification with its stored text.
struct EarlierNotification: Equatable {
  var identifier, slot, kind, summary, body: String
  var actions: [String]
  var context: String?
  var dueWall, dueBoot: Int64
  var bootID: String
  var followsWallClock: Bool
  var state: String
  var reason, withdrawal: String?
  var server: Int64?
  var epoch: String?
  var refusals, notBefore: Int64
  var deliveredAt: Int64?
  var updatedAt: Int64

  /// Reads the unchanged row.
  init(_ row: SQLRow) {
    struct Button: Decodable { let key, title: String }
    (identifier, slot, kind) = (row.text(0), row.text(1), row.text(2))
    (summary, body) = (row.text(3), row.text(4))
    let buttons = row.optionalText(5).map { try? JSONDecoder().decode([Button].self, from: Data($0.utf8)) }
    actions = (buttons.map { $0 ?? [Button(key: "unreadable", title: "")] } ?? []).map {
      "\($0.key): \($0.title)"
    }
    context = row.optionalText(6)
    (dueWall, dueBoot, bootID) = (row.integer(7), row.integer(8), row.text(9))
    followsWallClock = row.integer(10) != 0
    state = row.text(11)
    (reason, withdrawal) = (
      row.optionalText(12).map(EarlierNotification.presentWords),
      row.optionalText(13).map(EarlierNotification.presentWords)
    )
    (server, epoch) = (row.optionalInteger(14), row.optionalText(15))
    (refusals, notBefore) = (row.integer(16), row.integer(17))
    (deliveredAt, updatedAt) = (row.optionalInteger(18), row.integer(19))
  }

  /// Returns the present version's text for an event of a run.
  private static func presentWords(_ sentence: String) -> String {
    let words = [
      "the sequence was started anew": "the sequence was started again",
      "the previous step was begun anew": "the previous step was restarted",
      "the step was begun anew": "the step was restarted",
      "the machine went to sleep": "the computer was suspended",
      "the machine was switched off": "the computer was switched off",
      "the machine was away": "the computer resumed from suspend",
      "the machine was restarted": "the computer was restarted",
      "the run was over": "the run had ended",
      "it was scheduled anew": "it was scheduled again",
      "it was not so any more": "it was outdated",
      "the bus was connected anew": "the session bus was connected again",
      "it was closed by a call": "a program closed it",
      "the server took it away": "the server removed it",
      "it expired, or made room for another": "it expired, or made room for another one",
      "the live display had the keyboard": "a display of the run had the keyboard focus",
      "it was called off before its time": "it was cancelled before its time",
    ]
    // It is part of other sentences, too.
    return words[sentence]
      ?? sentence.replacing("the agent that showed it ended", with: "the program that showed it ended")
  }

  /// Creates the comparable form of the present version's entry.
  init(_ entry: LedgerEntry) {
    let request = entry.request
    (identifier, slot) = (request.identifier.rawValue, request.tag ?? request.identifier.rawValue)
    (summary, body) = (request.summary, request.body)
    actions = request.actions.map { "\($0.key): \($0.title)" }
    context = request.userInfo
    (dueWall, dueBoot) = (entry.due.wall.microseconds, entry.due.boot.nanoseconds)
    bootID = entry.due.bootID
    followsWallClock = request.trigger.followsWallClock
    (reason, withdrawal) = (entry.reason?.description, entry.withdrawal?.description)
    (server, epoch) = (entry.shown.map { Int64($0.id) }, entry.shown?.epoch.rawValue)
    (refusals, notBefore) = (Int64(entry.refusals), entry.notBefore.nanoseconds)
    (deliveredAt, updatedAt) = (entry.deliveredAt?.microseconds, entry.updatedAt.microseconds)
    kind =
      switch request.kind {
      case .stepEnd: "stepEnd"
      case .overtime: "timeOver"
      case .goal, .reminder: "reminder"
      case .runEnd: "runEnd"
      case .pause: "paused"
      case .return: "away"
      default: request.kind?.rawValue ?? "message"
      }
    state =
      switch entry.state {
      case .pending: "pending"
      case .presenting: "presenting"
      case .delivered: "delivered"
      case .removed: "removed"
      case .missed: "missed"
      case .suppressed: "suppressed"
      case .failed: "failed"
      case .cancelled: "cancelled"
      }
  }
}
