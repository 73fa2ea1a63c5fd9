import Foundation
import Platform
import TestSupport
import Testing

@testable import Notifier

/// The time zone of the system, and the notice that it was set.
struct SystemZoneTests {
  private let directory: TemporaryDirectory
  private var link: String { directory.path + "/localtime" }

  init() throws { directory = try TemporaryDirectory() }

  /// Sets the time zone as timedated does: by a new link in the place of the old one.
  private func set(_ zone: String) throws {
    let new = link + ".new"
    try FileManager.default.createSymbolicLink(
      atPath: new, withDestinationPath: "/usr/share/zoneinfo/\(zone)")
    #expect(rename(new, link) == 0)
  }

  @Test func `the link names the time zone`() throws {
    try set("Europe/Berlin")
    #expect(TimeZone.ofSystem(environment: nil, localtime: link).identifier == "Europe/Berlin")
    try set("America/New_York")
    #expect(TimeZone.ofSystem(environment: "", localtime: link).identifier == "America/New_York")
    #expect(TimeZone.ofSystem(environment: nil, localtime: link + ".missing") == .current)
  }

  @Test(arguments: [
    "Asia/Tokyo", ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo", ":/usr/share/zoneinfo/posix/Asia/Tokyo",
  ])
  func `the environment names the time zone before the link`(value: String) throws {
    try set("Europe/Berlin")
    #expect(TimeZone.ofSystem(environment: value, localtime: link).identifier == "Asia/Tokyo")
  }

  @Test func `setting the time zone is reported, and nothing else in its directory is`() throws {
    try set("Europe/Berlin")
    let watch = TimeZoneWatch(path: link)
    let descriptor = try #require(watch.descriptors.first)
    let other = try DeadlineTimer()
    try Data().write(to: URL(filePath: directory.path + "/passwd"))
    try other.arm(.nanoseconds(1))
    #expect(try waitUntilReadable([descriptor, other.descriptor]) == [other.descriptor])
    try set("Europe/Paris")
    #expect(try waitUntilReadable([descriptor]) == [descriptor])
    #expect(TimeZoneWatch(path: link + ".missing").descriptors.isEmpty)
  }
}
