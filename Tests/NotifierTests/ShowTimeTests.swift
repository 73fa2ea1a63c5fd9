import Foundation
import SequencePlatform
import Testing

@testable import NotifierDelivery

/// The wait for the due time of a prepared notification.
@Suite(.timeLimit(.minutes(1)))
struct ShowTimeTests {
  @Test func `a past time is not waited for, a future time is`() throws {
    let showTime = try ShowTime(of: SystemClock())
    try showTime.wait(until: .zero, atMostUntil: nil, for: 1)
    let due = SystemClock.sinceBoot() + .milliseconds(20)
    try showTime.wait(until: due, atMostUntil: nil, for: 1)
    #expect(SystemClock.sinceBoot() >= due)
  }

  @Test func `a cancelled notification is not shown before or after its time, and others are`() throws {
    let showTime = try ShowTime(of: SystemClock())
    showTime.callOff(1)
    #expect(throws: DesktopFailure.calledOff) {
      try showTime.wait(until: SystemClock.sinceBoot() + .seconds(3600), atMostUntil: nil, for: 1)
    }
    showTime.callOff(1)
    #expect(throws: DesktopFailure.calledOff) { try showTime.wait(until: .zero, atMostUntil: nil, for: 1) }
    showTime.callOff(1)
    try showTime.wait(until: SystemClock.sinceBoot() + .milliseconds(5), atMostUntil: nil, for: 2)
  }

  @Test func `cancellation by another thread ends the wait`() throws {
    let showTime = try ShowTime(of: SystemClock())
    Thread { showTime.callOff(7) }.start()
    #expect(throws: DesktopFailure.calledOff) {
      try showTime.wait(until: SystemClock.sinceBoot() + .seconds(3600), atMostUntil: nil, for: 7)
    }
  }

  @Test func `a suspend during the wait leads to a new decision`() throws {
    let clock = SuspendingClock()
    let due = clock.now().boot + .seconds(61)
    let showTime = try ShowTime(of: clock)
    #expect(throws: DesktopFailure.calledOff) { try showTime.wait(until: due, atMostUntil: nil, for: 1) }
  }

  @Test
  func `a wait that begins after its limit leads to a new decision, a merely late wait does not`()
    throws
  {
    let showTime = try ShowTime(of: ManualClock(boot: .seconds(100)))
    #expect(throws: DesktopFailure.calledOff) {
      try showTime.wait(until: .seconds(80), atMostUntil: .seconds(99), for: 1)
    }
    try showTime.wait(until: .seconds(80), atMostUntil: .seconds(100), for: 1)
  }
}

/// A machine that sleeps for a minute after each reading of its clocks.
private final class SuspendingClock: ClockSource {
  private let clock = ManualClock()

  func now() -> ClockReading {
    defer { clock.advance(by: .seconds(60)) }
    return clock.now()
  }
}
