import SequencePlatform

/// The waiting for the time of a notification that is ready, unless it is called off before.
final class ShowTime: Sendable {
  private let timer: DeadlineTimer
  private let calledOff: MessageQueue<Int64>
  private let clock: any ClockSource

  /// - Parameter clock: the clock that the times are of.
  init(of clock: any ClockSource) throws(SystemError) {
    timer = try clock.makeTimer()
    calledOff = try MessageQueue()
    self.clock = clock
  }

  /// Ends the waiting for a ledger entry, if it is waited for.
  func callOff(_ entry: Int64) { calledOff.put(entry) }

  /// Waits until a time on the boot clock, if that is still to come; one thread at a time.
  ///
  /// - Parameter latest: when it is too late, if the time has passed before the waiting begins.
  /// - Throws: `DesktopFailure.calledOff` if the entry was called off before, or it is far too late.
  func wait(until due: Duration, atMostUntil latest: Duration?, for entry: Int64) throws(DesktopFailure) {
    let isWanted: Bool
    do throws(SystemError) {
      let now = clock.now().boot
      if due > now {
        isWanted = try comes(due, before: entry)
      } else {
        isWanted = try !calledOff.takeAll().contains(entry) && latest.map { now <= $0 } ?? true
      }
    } catch {
      throw .refused(name: "system", message: "\(error)")
    }
    guard isWanted else { throw .calledOff }
  }

  /// Whether a time comes before an entry is called off, and is noticed when it comes.
  private func comes(_ due: Duration, before entry: Int64) throws(SystemError) -> Bool {
    while true {
      try timer.arm(due)
      _ = try waitUntilReadable([timer.descriptor, calledOff.descriptor])
      if try calledOff.takeAll().contains(entry) { return false }
      let late = clock.now().boot - due
      if late >= .zero { return late <= Lateness.preparedNotification }
    }
  }
}
