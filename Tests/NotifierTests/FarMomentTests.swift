import Foundation
import NotifierLedger
import NotifierDelivery
import SequencePlatform
import SequenceNotifications
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// Notifications due beyond the range of 64 bits of nanoseconds.
struct FarMomentTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore.withNotifications(in: StateDirectory(path: directory.path), clock: clock)
  }

  @Test(arguments: [Moment(.distantFuture), Moment(microseconds: .max)], [true, false])
  func `a notification in the far future stays pending whatever happens to the clocks`(
    moment: Moment, followsWallClock: Bool
  ) throws {
    let request = NotificationRequest(
      NotificationIdentifier("far"), "far",
      trigger: NotificationTrigger(
        followsWallClock ? .at(moment) : .reading(clock.now().at(moment))))
    try store.changeLedger { ledger throws(StoreError) in try ledger.add([request], at: clock.now()) }
    for change in [{}, { clock.setWall(by: .seconds(-86_400)) }, { clock.reboot(after: .seconds(60)) }] {
      change()
      let courier = TestCourier(of: store)
      try courier.takeOver()
      try courier.clockWasSet()
      let entry = try #require(try store.ledger.entries(in: .everything).first)
      #expect(entry.state == .pending)
      #expect(entry.due.wall == moment)
      #expect(entry.due.boot > clock.now().boot + .seconds(99 * 365 * 86_400))
      #expect(try #require(try courier.nextWake()) > clock.now().boot)
    }
    #expect(store.notices.isEmpty)
  }
}
