import Foundation
import Glibc
import SequenceFiles
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceWindow

/// The file `config.yaml`, which other programs change at any time.
@Suite struct PreferencesFileTests {
  private let directory: TemporaryDirectory
  private var file: PreferencesFile

  init() throws {
    directory = try TemporaryDirectory()
    file = PreferencesFile(path: directory.path + "/sequence/config.yaml")
  }

  private func text() throws -> String { try String(contentsOfFile: file.path, encoding: .utf8) }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: file.directory, withIntermediateDirectories: true)
    try text.write(toFile: file.path, atomically: true, encoding: .utf8)
  }

  private static let heading = "# Settings of Sequence; man 5 sequence-config explains them.\n"

  @Test func `a missing file is created by the first change, and not by the default`() throws {
    #expect(try file.read()["onSuspend"] == .text("continue"))
    #expect(try file.change("onSuspend", to: .text("continue"))["onSuspend"] == .text("continue"))
    #expect(!FileManager.default.fileExists(atPath: file.directory))
    let changed = try file.change("onSuspend", to: .text("pause"))
    #expect(changed["onSuspend"] == .text("pause"))
    #expect(try text() == PreferencesFileTests.heading + "onSuspend: pause\n")
    #expect(try file.read() == changed)
  }

  @Test func `a file is created for an editor, and then left alone`() throws {
    try file.createIfMissing()
    #expect(try text() == PreferencesFileTests.heading)
    try write("onLock: ask\n")
    try file.createIfMissing()
    #expect(try text() == "onLock: ask\n")
  }

  @Test func `a file that appears before the first change is changed`() throws {
    var file = file
    var count = 0
    file.beforeWriting = {
      count += 1
      if count == 1 { try? write("onLock: ask # mine\n") }
    }
    let changed = try file.change("onSuspend", to: .text("pause"))
    #expect(try text() == "onLock: ask # mine\nonSuspend: pause\n")
    #expect(changed["onLock"] == .text("ask"))
    #expect(count == 2)
  }

  @Test func `what another program has written between reading and writing stays`() throws {
    try write("onLock: pause\n")
    var file = file
    var count = 0
    file.beforeWriting = {
      count += 1
      if count == 1 { try? write("# Theirs.\nonLock: ask\n") }
      if count == 2 { try? write("# Theirs, too.\nonSuspend: ask\n") }
    }
    let changed = try file.change("onSuspend", to: .text("pause"))
    #expect(try text() == "# Theirs, too.\nonSuspend: pause\n")
    #expect(changed["onLock"] == .text("continue"))
    #expect(count == 3)
  }

  @Test func `a file that others never leave alone isn't changed`() throws {
    try write("onLock: pause\n")
    var file = file
    var count = 0
    file.beforeWriting = {
      count += 1
      try? write("# \(count)\n")
    }
    #expect(throws: Message.self) { try file.change("onSuspend", to: .text("pause")) }
    #expect(try text() == "# \(count)\n")
  }

  @Test func `a mistake is never written over`() throws {
    let wrong = "onLock: pause\n\nonSuspend: maybe\n"
    try write(wrong)
    let error = try #require(throws: SequenceFileError.self) { try file.read() }
    #expect(error.position?.line == 3)
    #expect(
      PreferencesFile.mistake(error) == "config.yaml has a mistake in line 3, so the defaults apply")
    #expect(throws: Message(PreferencesFile.mistake(error))) { try file.change("onLock", to: .text("ask")) }
    #expect(try text() == wrong)
    try file.createIfMissing()
    #expect(try text() == wrong)
  }

  @Test func `a mistake that appears between reading and writing isn't written over either`() throws {
    try write("onLock: pause\n")
    var file = file
    file.beforeWriting = { try? write("onLock: [\n") }
    let error = try #require(throws: Message.self) { try file.change("onLock", to: .text("ask")) }
    #expect(error.heading.contains("a mistake in line"), "\(error)")
    #expect(try text() == "onLock: [\n")
  }

  @Test func `a directory that can't be written is reported`() throws {
    // Nobody can create files there, not even root.
    let file = PreferencesFile(path: "/proc/self/sequence/config.yaml")
    let error = try #require(throws: Message.self) {
      try file.change("onLock", to: .text("ask"))
    }
    #expect(error.heading == "The Setting Can’t Be Saved")
  }

  @Test(.enabled(if: geteuid() != 0, "root can write everywhere"))
  func `a read-only directory keeps the file`() throws {
    try write("onLock: pause\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: file.directory)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.directory)
    }
    #expect(throws: Message.self) { try file.change("onLock", to: .text("ask")) }
    #expect(try text() == "onLock: pause\n")
  }

  @Test func `a link stays a link, and its file is changed`() throws {
    try write("onLock: pause\n")
    let target = directory.path + "/dotfiles.yaml"
    try FileManager.default.moveItem(atPath: file.path, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
    _ = try file.change("onLock", to: .text("ask"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == target)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "onLock: ask\n")
  }

  @Test func `something that is no file is a mistake`() throws {
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
    let error = try #require(throws: SequenceFileError.self) { try file.read() }
    #expect(PreferencesFile.mistake(error) == "config.yaml can’t be read, so the defaults apply")
    try FileManager.default.removeItem(atPath: file.path)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(throws: Message.self) { try file.change("onLock", to: .text("ask")) }
  }
}
