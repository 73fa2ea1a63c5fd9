import Foundation
import NotifierLedger
import Notifier
import SequenceRunner
import TestSupport

/// The cost of scheduling many notifications, and of removing them by name prefix.
enum Scheduling: Benchmark {
  static let name = "scheduling"

  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws {
    let library = try LibraryUser()
    let directory = try TemporaryDirectory()
    let jobs = try Asked(
      workplace.peer("python"), [workplace.peerSource("apscheduler_jobs.py"), directory.path + "/jobs.db"],
      environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC"], nanosecondsPerUnit: 1e9)
    let rows = try Asked(workplace.floor("sqlite-transaction"), [directory.path + "/floor.db"])
    for (count, rounds) in [(1000, 3), (10_000, 1), (100_000, 1)] {
      let isCompared = count < 100_000 || workplace.isLong
      try measure(count, rounds, library, isCompared ? jobs : nil, rows, report)
    }
  }

  private static func measure(
    _ count: Int, _ rounds: Int, _ library: LibraryUser, _ jobs: Asked?, _ rows: Asked,
    _ report: (Row) throws -> Void
  ) throws {
    var (added, removed, forgotten) = (Samples(), Samples(), Samples())
    var (addedJobs, removedJobs, floor) = (Samples(), Samples(), Samples())
    for round in 0..<rounds {
      let prefix = "bench.\(count).\(round)"
      added.add(try library.add(prefix, count))
      if let jobs { addedJobs.add(try jobs.duration("add \(prefix) \(count)")) }
      floor.add(try rows.duration(String(count)))
      removed.add(try library.remove(NotificationScope(prefix)))
      if let jobs { removedJobs.add(try jobs.duration("remove \(prefix)")) }
      // The next call purges removed notifications.
      forgotten.add(try library.add("bench.after", 1))
    }
    let size = count.formatted(.number.locale(Locale(identifier: "en")))
    let (adding, removing) = ("schedule \(size) notifications", "remove \(size) notifications by prefix")
    if jobs != nil {
      try report(
        Row(adding, added.medianTime, beside: "APScheduler", addedJobs.medianTime, goal: .ratio(1 / 20)))
      try report(
        Row(removing, removed.medianTime, beside: "APScheduler", removedJobs.medianTime, goal: .ratio(1 / 20))
      )
    }
    try report(Row(adding, added.medianTime, beside: "floor: so many bare rows", floor.medianTime))
    try report(Row(removing, removed.medianTime, beside: "floor: so many bare rows", floor.medianTime))
    try report(Row("the next call, which forgets them", forgotten.medianTime))
  }
}
