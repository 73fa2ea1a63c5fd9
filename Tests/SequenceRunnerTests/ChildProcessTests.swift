import CSequenceLinux
import Foundation
import TestSupport
import Testing

/// The class that tests start programs with.
@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
  private let shell = "/bin/sh"
  private let environment = ["PATH": "/usr/bin:/bin"]

  @Test func `a program with much output on both streams does not block`() throws {
    let script = "head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero; echo; echo done; exit 7"
    let child = try ChildProcess(shell, ["-c", script], environment: environment)
    #expect(try child.exitStatus() == 7)
    #expect(try child.errorText().utf8.count == 1_000_000)
    #expect(try child.line().utf8.count == 1_000_000)
    #expect(try child.lines() == ["done"])
    let long = String(repeating: "x", count: 1_000_000)
    let echo = try ChildProcess.run("/bin/cat", [], environment: [:], input: long)
    #expect(echo.text == long && echo.status == 0)
  }

  @Test func `waiting has a limit, and the error contains the program's output`() throws {
    let child = try ChildProcess(shell, ["-c", "echo no >&2; echo up; read x"], environment: environment)
    #expect(try child.line() == "up")
    #expect(throws: TestSupportError.self) { try child.line(within: .milliseconds(10)) }
    #expect(throws: TestSupportError.self) { try child.lines(within: .milliseconds(10)) }
    #expect(throws: TestSupportError.self) { try child.errorText(within: .milliseconds(10)) }
    #expect {
      _ = try child.exitStatus(within: .milliseconds(10))
    } throws: {
      "\($0)".hasSuffix(": no\n")
    }
    child.signal(SIGTERM)
    #expect(try child.exitStatus() == 128 + SIGTERM)
  }

  @Test func `writing to an ended program is an error and not a signal`() throws {
    let child = try ChildProcess("/bin/true")
    #expect(try child.exitStatus() == 0)
    #expect(throws: (any Error).self) { try child.send("hello") }
    #expect(throws: TestSupportError.self) { try child.line() }
    #expect(throws: (any Error).self) { try ChildProcess("/nonexistent") }
  }

  @Test func `a program ends with its killed test process`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/process"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let bus = try PrivateBus()
      let child = try ChildProcess("/bin/sleep", ["1000"])
      try "\(child.identifier) \(bus.process)".write(toFile: path, atomically: true, encoding: .utf8)
      kill(getpid(), SIGKILL)
    }
    let processes = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").map { pid_t($0) }
    #expect(processes.count == 2)
    for process in processes {
      let descriptor = sequence_pidfd_open(try #require(process))
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&entry, 1, 10_000) == 1)
    }
  }
}
