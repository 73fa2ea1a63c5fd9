package import FoundationEssentials
package import SequencePlatform
import SequenceRunner
package import SequenceStore

/// The runs that displays show, with or without the keyboard focus.
///
/// A display shares a region of a lock as long as it shows a run. The region is free when the process of the display
/// ends, even if it is killed, and doesn't count while the process is stopped.
package struct DisplayedRuns: ~Copyable {
  private var lock: FileLock

  package init(in directory: StateDirectory) throws(SystemError) {
    lock = try FileLock(path: directory.displayLockPath)
  }

  package var isInPlace: Bool { lock.isInPlace }

  package mutating func show(_ run: UUID?) throws(SystemError) {
    try lock.follow()
    try lock.release()
    if let run { _ = try lock.share(DisplayedRuns.region(of: run)) }
    try lock.signal()
  }

  /// The region of the lock that the displays of a run share.
  ///
  /// Ids of runs are random, so two active runs with one region, each of which hides the notifications of the other,
  /// are next to impossible.
  package static func region(of runID: UUID) -> UInt32 {
    let bytes = runID.uuid
    return UInt32(bytes.0) << 24 | UInt32(bytes.1) << 16 | UInt32(bytes.2) << 8 | UInt32(bytes.3)
  }

  /// Whether a display of another process shows a run.
  package func contains(_ run: UUID) throws(SystemError) -> Bool {
    try lock.isSharedByRunningProcess(DisplayedRuns.region(of: run))
  }
}

/// Sees which runs displays show, woken by the kernel when that changes.
package final class DisplayedRunsWatch {
  private let directory: StateDirectory
  private let runs: DisplayedRuns
  /// Reports changes; `nil` if the kernel does not, because its limit of watches is reached.
  private var watch: DirectoryWatch?
  /// When to check once more, on the boot clock: the kernel reports the end of a process right before it frees its locks.
  package private(set) var nextCheck: Duration?

  private static let pause = Duration.milliseconds(100)
  /// The interval of checks if changes are not reported.
  private static let checkInterval = Duration.seconds(1)

  package init(in directory: StateDirectory) throws(SystemError) {
    self.directory = directory
    runs = try DisplayedRuns(in: directory)
  }

  package var isInPlace: Bool { runs.isInPlace }

  /// The descriptor to wait on: readable once a display shows or hides a run, or ends; `nil` if that is not reported.
  package var descriptor: Int32? {
    switch watch {
    case .some(let watch): watch.descriptor
    case .none: nil
    }
  }

  /// Takes the news, so that the descriptor is no longer readable.
  package func listen(at reading: ClockReading) {
    do throws(SystemError) {
      switch watch {
      case .some(let watch): try watch.drain()
      case .none: break
      }
    } catch {
      // The displays are checked until they can be watched again.
      watch = nil
    }
    nextCheck = reading.boot + DisplayedRunsWatch.pause
  }

  package func contains(anyOf some: [UUID], at reading: ClockReading) throws(SystemError) -> Bool {
    if let due = nextCheck, due <= reading.boot { nextCheck = nil }
    if watch == nil {
      // If it fails, the displays are checked every second.
      do throws(SystemError) { watch = try DirectoryWatch(lock: directory.displayLockPath) } catch {}
    }
    if watch == nil { nextCheck = nextCheck ?? reading.boot + DisplayedRunsWatch.checkInterval }
    for run in some where try runs.contains(run) { return true }
    return false
  }
}
