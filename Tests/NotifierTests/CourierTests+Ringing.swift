import Foundation
import NotifierDelivery
import NotifierLedger
import SequencePlanning
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The notification of an end that rings.
extension CourierTests {
  private func startTea(rings: Bool? = true, sound: Bool? = nil) throws {
    let timeline = try Timeline(SequenceDefinition("Tea") { Card("Tea", .countdown(.seconds(60))) })
    let options = RunOptions(suspendPolicy: nil, sound: sound, speech: nil, rings: rings)
    _ = try store.start(timeline, options: options, RunStart(source: .timer))
  }

  private func ringing() throws -> [RingingEnd] { try store.ringingEnds(at: clock.now()) }

  @Test func `an end that rings is urgent, with a button that stops it`() throws {
    try startTea()
    clock.advance(by: .seconds(60))
    let end = clock.now().boot
    let show = try courier.showNext()
    #expect(show.content.style.urgency == .critical)
    #expect(show.content.actions.map(\.title) == ["Stop", "+1 min"])
    #expect(try ringing().map(\.end) == [end])
    clock.advance(by: .seconds(15))
    try courier.receive(.actionInvoked(show.shown, key: "stop-ringing"))
    #expect(try ringing().isEmpty)
    #expect(try courier.carryAllOut() == [.close(entry: show.entry, show.shown)])
    #expect(try store.settle().runs.isEmpty)
    #expect(try store.unseenEnds(since: Moment(microseconds: .min)).isEmpty)
  }

  @Test func `one more minute is a timer with the title that rings, too`() throws {
    try startTea(sound: true)
    clock.advance(by: .seconds(60))
    let show = try courier.showNext()
    clock.advance(by: .seconds(5))
    try courier.receive(.actionInvoked(show.shown, key: "minute"))
    let run = try #require(try store.settle().run)
    #expect(run.sequence.title == "Tea" && run.target == .seconds(60) && run.isTimer)
    #expect(run.rings && run.options.sound == true)
    #expect(try ringing().isEmpty)
    try courier.carryAllOut()
    #expect(try entries()[0].reason?.sentence == "\"+1 min\" was pressed")
    clock.advance(by: .seconds(60))
    #expect(try courier.showNext().content.actions.map(\.title) == ["Stop", "+1 min"])
  }

  @Test func `dismissing an end stops it, and so does another start`() throws {
    try startTea()
    clock.advance(by: .seconds(60))
    let show = try courier.showNext()
    try courier.receive(.closedByServer(show.shown, .dismissed))
    #expect(try ringing().isEmpty)
    try startTea()
    clock.advance(by: .seconds(60))
    _ = try courier.showNext()
    #expect(try ringing().count == 1)
    try startTea()
    #expect(try ringing().isEmpty)
  }

  @Test(arguments: [(false, nil), (true, false), (nil, nil)] as [(Bool?, Bool?)])
  func `a muted run and one that doesn't ring end as others do`(rings: Bool?, sound: Bool?) throws {
    try startTea(rings: rings, sound: sound)
    clock.advance(by: .seconds(60))
    let show = try courier.showNext()
    #expect(show.content.style.urgency == .normal && show.content.actions.isEmpty)
  }

  @Test func `an end that is told late is shown, and doesn't ring`() throws {
    try startTea()
    clock.advance(by: .seconds(91))
    let show = try courier.showNext()
    #expect(show.content.style.urgency == .normal && show.content.actions.isEmpty)
    #expect(try ringing().isEmpty)
  }

  @Test func `an end rings although a display has the focus, until that shows that the user has come`() throws
  {
    try startTea()
    let display = try FileLock(path: directory.path + "/foreground.lock")
    let run = try #require(try store.settle().run)
    #expect(try display.share(DisplayedRuns.region(of: run.runID)))
    clock.advance(by: .seconds(60))
    #expect(try courier.showNext().content.style.urgency == .critical)
    #expect(try ringing().count == 1)
    withExtendedLifetime(display) { _ in }
    try store.seeEnd(of: run)
    #expect(try ringing().isEmpty)
  }

  @Test func `another agent continues an end that rings, for five minutes in all`() throws {
    try startTea()
    clock.advance(by: .seconds(60))
    let end = clock.now().boot
    try courier.carryAllOut()
    clock.advance(by: .seconds(200))
    let next = try successor()
    let again = try next.deliver()
    #expect(again.map(\.style.urgency) == [.critical] && again.map(\.isSilent) == [true])
    #expect(try ringing().map(\.end) == [end])
    clock.advance(by: .seconds(100))
    #expect(try ringing().isEmpty)
    let last = agent(3)
    try last.takeOver()
    #expect(try last.deliver().map(\.style.urgency) == [.normal])
    #expect(try ringing().isEmpty)
  }

  @Test func `an end is repeated every ten seconds, and nothing after five minutes`() throws {
    try startTea()
    clock.advance(by: .seconds(60))
    let end = clock.now().boot
    try courier.carryAllOut()
    let times = try #require(try ringing().first).repetitions(after: end + .seconds(15))
    #expect(times.first == end + .seconds(20) && times.last == end + .seconds(290) && times.count == 28)
  }
}
