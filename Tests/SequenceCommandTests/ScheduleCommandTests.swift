import Foundation
import TestSupport
import Testing

@testable import SequenceCommand

struct ScheduleCommandTests {
  private let sequence: CommandLineRunner

  init() throws {
    sequence = try CommandLineRunner()
    try FileManager.default.createDirectory(atPath: sequence.library, withIntermediateDirectories: true)
    try Data("title: Morning\ncards: [{ title: Shower, countdown: 5m }]".utf8)
      .write(to: URL(fileURLWithPath: sequence.library + "/morning.yaml"))
  }

  @Test func `a schedule says when it begins, is listed, and its number is never given again`() throws {
    let added = try sequence("schedule", "morning", "7:00", "--on", "weekdays")
    #expect(added.status == 0)
    #expect(
      added.text.wholeMatch(
        of: /schedule 1: "Morning" begins on \d{4}-\d\d-\d\d 07:00, and then on weekdays\n?/) != nil,
      "\(added.text)")
    #expect(added.errors.contains("run sequence agent install"), "\(added.errors)")
    #expect(try sequence("schedule", "morning", "--until", "7:52").text.contains("07:47, to end at 07:52"))
    let list = try sequence("schedule").text
    #expect(list.contains("weekdays") && list.contains("until 07:52"), "\(list)")
    #expect(try sequence("status").text.hasPrefix("idle; next: Morning at "))
    #expect(try sequence("status", "--json").text.contains("\"schedule\":{"))
    #expect(try sequence("schedule", "remove", "2").status == 0)
    #expect(try sequence("schedule", "morning", "8:00").text.hasPrefix("schedule 3: "))
    #expect(try sequence("schedule", "remove", "2").status == 1)
  }
}
