import SequenceRunner

/// The waiting for the time of a notification that is ready, unless it is called off before.
final class ShowTime: Sendable {
  private let timer: DeadlineTimer
  private let calledOff: Mailbox<Int64>

  init() throws(SystemError) {
    timer = try DeadlineTimer()
    calledOff = try Mailbox()
  }

  /// Ends the waiting for a ledger entry, if it is waited for.
  func callOff(_ entry: Int64) { calledOff.put(entry) }

  /// Waits until a time on the boot clock; one thread at a time.
  ///
  /// - Throws: `DesktopFailure.calledOff` if the entry was called off before.
  func wait(until due: Duration, for entry: Int64) throws(DesktopFailure) {
    let isDue: Bool
    do throws(SystemError) {
      isDue = try comes(due, before: entry)
    } catch {
      throw .refused(name: "sequence", message: "\(error)")
    }
    guard isDue else { throw .calledOff }
  }

  /// Whether a time comes before an entry is called off.
  private func comes(_ due: Duration, before entry: Int64) throws(SystemError) -> Bool {
    try timer.arm(due)
    while true {
      let ready = try waitUntilReadable([timer.descriptor, calledOff.descriptor])
      if try calledOff.takeAll().contains(entry) { return false }
      if ready.contains(timer.descriptor) { return true }
    }
  }
}
