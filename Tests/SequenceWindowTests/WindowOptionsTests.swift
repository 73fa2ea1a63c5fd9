import Platform
import Store
import Testing

@testable import SequenceWindow

struct WindowOptionsTests {
  @Test func `a window of the user's own state directory has the name of the desktop entry`() throws {
    for environment in [["HOME": "/home/u"], ["HOME": "/home/u", "XDG_STATE_HOME": "/state"]] {
      let options = try WindowOptions([], environment: EnvironmentVariables(environment))
      #expect(options.applicationID == "org.sequence_timer.sequence" && !options.asksStop)
      #expect(try WindowOptions(["--ask-stop"], environment: EnvironmentVariables(environment)).asksStop)
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
}
