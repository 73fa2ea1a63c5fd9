import Foundation
import SequencePlatform
import SequenceRunner
import Testing

struct TimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_790_000_000_123_999, "2026-09-21T14:13:20.123Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (999_999, "1970-01-01T00:00:00.999Z"),
    (1_000_000, "1970-01-01T00:00:01.000Z"),
  ])
  func `a moment is written with milliseconds, rounded down`(microseconds: Int64, text: String) {
    #expect(Moment(microseconds: microseconds).description == text)
  }

  @Test func `a moment is a whole number in JSON, and equal after conversion from a date`() throws {
    for offset in 0..<2000 {
      let moment = Moment(microseconds: 1_790_000_000_000_000 + Int64(offset) * 137)
      let text = String(decoding: try JSONEncoder().encode([moment]), as: UTF8.self)
      #expect(text == "[\(moment.microseconds)]")
      #expect(Moment(moment.date) == moment)
    }
  }

  @Test func `elapsed time is that of the boot clock, or of the wall clock across boots, and never negative`()
  {
    let reading = ClockReading(wall: Moment(microseconds: 1_000_000), boot: .seconds(10), bootID: "a")
    let later = ClockReading(wall: Moment(microseconds: 500_000), boot: .seconds(12), bootID: "a")
    #expect(later.elapsed(since: reading) == .seconds(2))
    #expect(reading.elapsed(since: later) == .zero)
    let rebooted = ClockReading(wall: Moment(microseconds: 4_000_000), boot: .seconds(1), bootID: "b")
    #expect(rebooted.elapsed(since: reading) == .seconds(3))
    #expect(reading.elapsed(since: rebooted) == .zero)
  }

  @Test func `the hash matches its authors' test vectors`() {
    #expect(Duration(secondsComponent: .max, attosecondsComponent: 0).nanoseconds == .max)
    #expect((.zero - Duration(secondsComponent: .max, attosecondsComponent: 0) * 8).nanoseconds == .min)
    #expect(Duration.nanoseconds(-7).nanoseconds == -7)
    #expect(StableHash.fnv1a128([]) == 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    #expect(StableHash.fnv1a128([0x61]) == 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964)
  }

  @Test func `the machine's own clocks advance, in one boot`() throws {
    let clock = try SystemClock()
    let (first, second) = (clock.now(), clock.now())
    #expect(second.boot >= first.boot)
    #expect(first.bootID == second.bootID && first.bootID.count == 36)
  }
}
