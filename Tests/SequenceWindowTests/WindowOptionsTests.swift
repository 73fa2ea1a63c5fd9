import Foundation
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

@testable import SequenceWindow

struct WindowOptionsTests {
  @Test func `a window of the user's own state directory has the name of the desktop entry`() throws {
    for environment in [["HOME": "/home/u"], ["HOME": "/home/u", "XDG_STATE_HOME": "/state"]] {
      let options = try WindowOptions([], environment: EnvironmentVariables(environment))
      #expect(options.applicationID == "org.sequence_timer.sequence" && !options.asksStop)
      #expect(
        try WindowOptions(["/tea.yaml"], environment: EnvironmentVariables(environment)).file == "/tea.yaml")
      #expect(try WindowOptions(["--ask-stop"], environment: EnvironmentVariables(environment)).asksStop)
      #expect(
        try WindowOptions(["--search", "leg day"], environment: EnvironmentVariables(environment)).search
          == "leg day")
    }
  }

  @Test func `a window of another state directory is another application, however it is named`() throws {
    let home: EnvironmentVariables = ["HOME": "/home/u"]
    let byOption = try WindowOptions(["--state-dir", "/tea"], environment: home)
    let byVariable = try WindowOptions([], environment: ["HOME": "/home/u", "SEQUENCE_STATE_DIR": "/tea"])
    let other = try WindowOptions(["--state-dir", "/coffee"], environment: home)
    #expect(byVariable == byOption)
    #expect(byOption.directory.path == "/tea")
    #expect(byOption.applicationID.hasPrefix("org.sequence_timer.sequence.d"))
    #expect(other.applicationID != byOption.applicationID)
  }

  @Test func `a directory is one application, by whichever path it is named`() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path + "/a", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/link", withDestinationPath: directory.path + "/a")
    func id(_ path: String) throws -> String {
      try WindowOptions(["--state-dir", path], environment: ["HOME": directory.path]).applicationID
    }
    let absolute = try id(directory.path + "/a/st")
    #expect(try id(directory.path + "/link/st") == absolute)
    #expect(try id(directory.path + "/a/../a/st") == absolute)
    // The same word means another directory elsewhere.
    #expect(try id("st") == id(FileManager.default.currentDirectoryPath + "/st"))
    #expect(try id(directory.path + "/.local/state/sequence") == "org.sequence_timer.sequence")
  }
}
