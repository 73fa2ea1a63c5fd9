import CSequenceLinux
import Foundation
import Glibc
import SequencePlatform
import SequenceRunner
import TestSupport

enum Loss: String, CaseIterable {
  case removed
  case emptied
  case renamed
  case file
  case link
  case dangling
  case withoutRights
  case onlyReadable
  case databaseRemoved
  case databaseIsDirectory
  case databaseIsLink
  case logIsDirectory
  case lockIsDirectory

  func happen(to bench: Bench) throws {
    let (files, state) = (FileManager.default, bench.state)
    switch self {
    // Its users create files in it at the same time, even the directory itself.
    case .removed:
      try Namespaces.run(
        "sh", "-c", #"for try in 1 2 3 4 5 6 7 8; do rm -rf "$0" && exit; done; exit 1"#, state)
    case .emptied:
      // Files that are already gone were removed by their users.
      for name in try files.contentsOfDirectory(atPath: state) { unlink(state + "/" + name) }
    case .renamed: try files.moveItem(atPath: state, toPath: state + "-before")
    case .file:
      try Data("not a directory".utf8).write(to: URL(filePath: state + "-before"))
      try exchange(bench)
    case .link:
      try files.createSymbolicLink(atPath: state + "-before", withDestinationPath: state + "-before")
      try exchange(bench)
    case .dangling:
      try files.createSymbolicLink(atPath: state + "-before", withDestinationPath: state + "-nowhere/else")
      try exchange(bench)
    case .withoutRights: chmod(state, 0o000)
    case .onlyReadable:
      for name in try files.contentsOfDirectory(atPath: state) { chmod(state + "/" + name, 0o400) }
      chmod(state, 0o500)
    case .databaseRemoved: try files.removeItem(atPath: bench.databasePath)
    case .databaseIsDirectory: try replace("sequence.db", in: bench) { mkdir($0, 0o700) }
    case .databaseIsLink: try replace("sequence.db", in: bench) { symlink("/nowhere/at/all", $0) }
    case .logIsDirectory: try replace("agent.log", in: bench) { mkdir($0, 0o700) }
    case .lockIsDirectory: try replace("agent.lock", in: bench) { mkdir($0, 0o700) }
    }
  }

  /// Exchanges the state directory with its neighbor in one step; otherwise a user would create a new one in
  /// between.
  private func exchange(_ bench: Bench) throws {
    try renameFile(bench.state + "-before", to: bench.state, .exchanging)
  }

  private func replace(_ name: String, in bench: Bench, by make: (String) -> Int32) throws {
    let path = bench.state + "/" + name
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    guard make(path) == 0 else { throw TestSupportError("\(path) cannot be replaced") }
  }

  func mend(_ bench: Bench) throws {
    let files = FileManager.default
    switch self {
    case .removed, .emptied, .renamed, .link, .databaseRemoved: break
    case .file, .dangling: try files.removeItem(atPath: bench.state)
    case .withoutRights, .onlyReadable:
      chmod(bench.state, 0o700)
      for name in try files.contentsOfDirectory(atPath: bench.state) {
        chmod(bench.state + "/" + name, 0o600)
      }
    case .databaseIsDirectory, .databaseIsLink: try files.removeItem(atPath: bench.databasePath)
    case .logIsDirectory: try files.removeItem(atPath: bench.state + "/agent.log")
    case .lockIsDirectory: try files.removeItem(atPath: bench.state + "/agent.lock")
    }
  }
}
