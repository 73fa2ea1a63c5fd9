import Glibc
import SequencePlatform
import SequenceRunner
import Testing

/// The directories of a user according to the XDG Base Directory Specification.
struct EnvironmentDirectoriesTests {
  @Test(
    arguments: [
      (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data"),
      (["XDG_DATA_HOME": "data", "HOME": "/home/me"], "/home/me/.local/share"),
      (["XDG_DATA_HOME": "", "HOME": "/home/me"], "/home/me/.local/share"),
      (["HOME": "/home/me"], "/home/me/.local/share"),
      (["HOME": ""], nil),
      ([:], nil),
    ] as [([String: String], String?)])
  func `a directory follows its variable, otherwise it is in the home directory`(
    variables: [String: String], expected: String?
  ) {
    let found = EnvironmentVariables(variables).directory("XDG_DATA_HOME", orInHome: ".local/share")
    #expect(found == expected)
  }

  @Test func `a program has a directory and a database of its name`() {
    let directory = StateDirectory(
      ofProgram: "remind", environment: EnvironmentVariables(["HOME": "/home/me"]))
    #expect(directory == StateDirectory(path: "/home/me/.local/state/remind", database: "remind.db"))
    #expect(StateDirectory(ofProgram: "remind", environment: EnvironmentVariables([:])) == nil)
  }

  @Test(arguments: [nil, "", "run"])
  func `without a variable the runtime directory is that of a login`(given: String?) {
    var variables = ["HOME": "/home/me"]
    variables["XDG_RUNTIME_DIR"] = given
    #expect(EnvironmentVariables(variables).runtimeDirectory == "/run/user/\(getuid())")
  }

  @Test(
    arguments: [
      (["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=x", "XDG_RUNTIME_DIR": "/run/me"], "unix:abstract=x"),
      (["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/me"], "unix:path=/run/me/bus"),
      ([:], "unix:path=/run/user/\(getuid())/bus"),
    ] as [([String: String], String)])
  func `the session bus is at its address, otherwise in the runtime directory`(
    variables: [String: String], expected: String
  ) {
    #expect(EnvironmentVariables(variables).sessionBusAddress == expected)
  }

  @Test func `the runtime directory follows its variable`() {
    #expect(EnvironmentVariables(["XDG_RUNTIME_DIR": "/elsewhere"]).runtimeDirectory == "/elsewhere")
  }
}
