import NotifierDelivery
import Testing

/// The matching of a notification server's replies with calls.
struct PendingCallsTests {
  @Test func `calls that time out do not pile up, and the first late reply is noticed`() {
    var calls = PendingCalls()
    for serial in 1...1000 as ClosedRange<UInt32> {
      calls.begin(.question)
      calls.sent("GetServerInformation", serial: serial)
      #expect(calls.end(isAnswered: false) == nil)
    }
    #expect(calls.lateCount == 1)
    #expect(calls.answered(1)?.isLate == true)
    #expect(calls.lateCount == 0)
    #expect(calls.answered(2) == nil)
  }

  @Test func `each timed-out notification is matched with its own late reply`() {
    var calls = PendingCalls()
    for entry in 1...3 as ClosedRange<Int64> {
      calls.begin(.show(entry: entry))
      calls.sent("GetCapabilities", serial: UInt32(entry))
      #expect(!calls.isSent)
      calls.sent("Notify", serial: UInt32(entry) + 10)
      #expect(calls.isSent)
      #expect(calls.end(isAnswered: false) == nil)
    }
    #expect(calls.refused(12, .notAnswering) == .show(entry: 2))
    #expect(calls.answered(13)?.call == .show(entry: 3))
    #expect(calls.lateCount == 1)
  }

  @Test func `a call that is waited for is neither late nor forgotten`() {
    var calls = PendingCalls()
    calls.begin(.show(entry: 1))
    calls.sent("Notify", serial: 5)
    #expect(calls.refused(5, .notAnswering) == nil)
    let ended = calls.end(isAnswered: false)
    #expect(ended?.0 == .show(entry: 1))
    #expect(ended?.1 == .notAnswering)
    #expect(calls.answered(5) == nil)
  }
}
