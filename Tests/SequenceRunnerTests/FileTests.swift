import Foundation
import SequencePlatform
import TestSupport
import Testing

/// Files and locks of the platform.
struct FileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func link(_ name: String, to target: String) throws -> String {
    let path = directory.path + "/" + name
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    return path
  }

  @Test(arguments: ["new", "folder/new", "./folder/../new", "*"])
  func `a link to a file that is not there yet stays a link`(target: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path + "/folder", withIntermediateDirectories: false)
    let target = target == "*" ? directory.path + "/new" : target
    let outer = try link("outer", to: "inner")
    _ = try link("inner", to: target)
    try AtomicFile.write("text", to: outer, replacing: true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: outer) == "inner")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.path + "/inner") == target)
    #expect(try String(contentsOfFile: outer, encoding: .utf8) == "text")
    try AtomicFile.write("more", to: outer, replacing: true)
    #expect(try String(contentsOfFile: outer, encoding: .utf8) == "more")
  }

  @Test func `a link that leads nowhere is left alone`() throws {
    for target in ["missing/new", "loop"] {
      let path = try link(target == "loop" ? "loop" : "link", to: target)
      #expect(throws: SystemError.self) { try AtomicFile.write("text", to: path, replacing: true) }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }
  }

  @Test(arguments: [
    (Duration.zero, 0, 1), (.nanoseconds(1), 0, 1), (.milliseconds(250), 0, 250_000), (.seconds(5), 5, 0),
    (.milliseconds(1500), 1, 500_000),
  ])
  func `the wait for a lock has an end, however short the limit`(
    limit: Duration, seconds: Int, microseconds: Int
  ) {
    let timer = FileLock.alarm(after: limit)
    #expect(timer.it_value.tv_sec == seconds)
    #expect(timer.it_value.tv_usec == microseconds)
  }
}
