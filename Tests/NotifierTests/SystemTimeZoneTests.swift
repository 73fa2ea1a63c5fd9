import Foundation
import SequencePlatform
import TestSupport
import Testing

/// The time zone of the system, and the notice that it was set.
struct SystemTimeZoneTests {
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
    #expect(SystemTimeZone.identifier(environment: nil, localtime: link) == "Europe/Berlin")
    try set("America/New_York")
    #expect(SystemTimeZone.identifier(environment: "", localtime: link) == "America/New_York")
    #expect(SystemTimeZone.identifier(environment: nil, localtime: link + ".missing") == nil)
  }

  @Test(arguments: [
    "Asia/Tokyo", ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo", ":/usr/share/zoneinfo/posix/Asia/Tokyo",
  ])
  func `the environment names the time zone before the link`(value: String) throws {
    try set("Europe/Berlin")
    #expect(SystemTimeZone.identifier(environment: value, localtime: link) == "Asia/Tokyo")
  }

  @Test func `setting the time zone is noticed, and no other change of its directory is`() throws {
    try set("Europe/Berlin")
    var watch = TimeZoneWatch(path: link) { Issue.record($0) }
    let descriptors = watch.descriptors
    #expect(try !watch.hasChanged())
    for (change, isNoticed) in [
      ({ try Data().write(to: URL(filePath: directory.path + "/passwd")) }, false),
      ({ try set("Europe/Paris") }, true),
      // It is absent for a moment while it is replaced.
      ({ try FileManager.default.removeItem(atPath: link) }, false),
      ({ try set("Asia/Tokyo") }, true),
      ({ try set("Asia/Tokyo") }, false),
    ] as [(() throws -> Void, Bool)] {
      try change()
      #expect(try waitUntilReadable(descriptors) == descriptors)
      #expect(try watch.hasChanged() == isNoticed)
      #expect(try !watch.hasChanged())
    }
  }

  @Test func `a directory that cannot be watched is a failure, and its link is still read`() throws {
    let path = directory.path + "/later"
    var failures: [String] = []
    var watch = TimeZoneWatch(path: path + "/localtime") { failures.append("\($0)") }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("watch \(path)") == true)
    #expect(watch.descriptors.isEmpty)
    #expect(try !watch.hasChanged())
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try set("Europe/Berlin")
    #expect(rename(link, path + "/localtime") == 0)
    #expect(try watch.hasChanged())
  }
}
