import Foundation
import Platform
import TestSupport
import Testing

@testable import SequenceCommand

/// `sequence window` without the window, which is a package of its own.
@Suite struct WindowCommandTests {
  @Test func `the menu entry opens a terminal that is installed`() throws {
    let directory = try TemporaryDirectory()
    let environment = EnvironmentVariables(["PATH": directory.path])
    #expect(WindowCommand.terminal(environment: environment) == nil)
    for (name, separator) in [("x-terminal-emulator", ["-e"]), ("xdg-terminal-exec", [])] {
      let program = try directory.write("", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      let words = try #require(WindowCommand.terminal(environment: environment))
      #expect(Array(words.dropLast()) == [program] + separator + ["/bin/sh", "-c"])
      #expect(words.last?.hasPrefix("sequence attach") == true)
    }
  }
}
