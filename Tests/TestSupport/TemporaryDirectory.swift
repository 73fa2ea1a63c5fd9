import Foundation
import SequencePlatform

/// A directory that is removed at deinitialization.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "sequence-test-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file into the directory, makes the directories that its name has, and returns its path.
  package func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: directory(ofFileAt: file), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }
}

/// Removes a directory that other processes use.
///
/// They may remove files of their own at the same moment, which is an error for `FileManager`, or add files, which is an
/// error for `rm`.
package func removeDirectory(_ path: String) throws {
  var errors = ""
  for _ in 1...100 {
    let output = try ChildProcess.run("/bin/rm", ["-rf", path], environment: [:])
    if output.status == 0 { return }
    errors = output.errors
  }
  throw TestSupportError("\(path) cannot be removed: \(errors)")
}

package enum BuiltProducts {
  package static func path(of name: String) throws -> String {
    // SwiftPM loads the tests in a helper program, whose arguments contain their path.
    let arguments = CommandLine.arguments
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path()
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestSupportError("\(name) is not built: there is no \(path)")
    }
    return path
  }

  /// Makes the catalogs of translations where the built programs look for them, two folders above theirs.
  package static func makeCatalogs() throws {
    let share = URL(filePath: try path(of: "sequence")).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "share").path
    let made = try ChildProcess(
      repository + "/scripts/make-catalogs", [share], environment: ["PATH": "/usr/bin:/bin"])
    try made.endInput()
    let outcome = try made.outcome(within: .seconds(60))
    guard outcome.status == 0 else { throw TestSupportError(outcome.errors) }
  }

  package static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path()
}

package struct TestSupportError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
