import Foundation
import SequencePlatform
import TestSupport
import Testing

/// Agents that have used up a resource: notifications come, or the reason is reported, and all is as before once the
/// resource is back.
@Suite(
  .timeLimit(.minutes(3)), .serialized,
  .disabled(if: Sanitizer.isUsed, "a sanitizer needs resources of its own"))
struct ExhaustionTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool
  private let agent: pid_t

  /// Whether this user may trace a process that was started by another one.
  private static let canTrace =
    geteuid() == 0
    || (try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)) == "0\n"

  init() throws {
    (bus, server, tool) = try Tool.served()
    try tool.configure(ExhaustionTests.configuration(hasPanel: true))
    try tool.succeed("start", "--title", "Base", "--card", "A 1h", "--card", "B 1h")
    agent = try tool.waitForAgent()
  }

  private static func configuration(hasPanel: Bool) -> String {
    """
    keepAwake: screen
    panel: { icon: \(hasPanel), media: \(hasPanel) }
    hooks:
      - { on: [run-start], run: [sh, -c, 'echo $SEQUENCE_TITLE >> "$HOME/said"'] }

    """
  }

  /// Limits a resource of the agent; the hard limit stays.
  private func limit(_ resource: String, _ value: String) throws {
    try ExhaustionTests.limit(resource, of: agent, value)
  }

  private static func limit(_ resource: String, of agent: pid_t) throws -> String {
    let words = ["--pid", "\(agent)", "--\(resource)", "--output", "SOFT", "--noheadings"]
    let output = try ChildProcess.run("/usr/bin/prlimit", words, environment: [:])
    try #require(output.status == 0, "\(output)")
    return output.text.trimmingCharacters(in: .whitespaces)
  }

  private static func limit(_ resource: String, of agent: pid_t, _ value: String) throws {
    let output = try ChildProcess.run(
      "/usr/bin/prlimit", ["--pid", "\(agent)", "--\(resource)=\(value):"], environment: [:])
    try #require(output.status == 0, "\(output)")
  }

  private func wait(until holds: () throws -> Bool) throws {
    let deadline = bootTime() + 40_000_000_000 * patience
    while try !holds() {
      guard bootTime() < deadline else {
        throw TestSupportError("it does not come to that: \(try tool.told()) \(try log())")
      }
    }
  }

  private func log() throws -> String {
    try String(contentsOfFile: tool.state + "/agent.log", encoding: .utf8)
  }

  private func doctor() throws -> String { try tool("doctor").text }

  /// Whether the panel, which the agent starts in a thread of its own, is on the bus.
  private func hasPlayer() throws -> Bool {
    try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--address", bus.address, "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
        "org.freedesktop.DBus.ListNames",
      ], environment: [:]
    ).text.contains("org.mpris.MediaPlayer2.sequence")
  }

  /// GLib ends a program that has no descriptor while it connects to the bus.
  private func waitUntilConnected() throws {
    try wait { try hasPlayer() && tool.told().contains { $0.hasPrefix("pending") } }
  }

  private func isShown(_ title: String) throws -> Bool {
    try tool.told().contains { $0.hasPrefix("delivered: \(title) is finished") }
  }

  /// Starts another run, whose end is due a second later.
  private func start(_ title: String) throws {
    let output = try tool("start", "--beside", "--title", title, "--card", "T 1s")
    #expect(output.status == 0, "\(output)")
  }

  /// Expects that the same agent does all of its work, and ends with the runs.
  private func expectRecovery() throws {
    try start("Egg")
    _ = try server.next("notify", within: .seconds(40)) { $0.summary == "Egg is finished" }
    try wait {
      let path = tool.directory.path + "/said"
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").last == "Egg"
    }
    #expect(try tool.agent() == agent)
    let output = try tool("stop", "--all")
    #expect(output.status == 0 && output.errors.isEmpty, "\(output)")
    try tool.succeed("notifications", "clear", "--all")
    try tool.waitForEndOfAgent()
  }

  @Test
  func `without a free descriptor the agent stays, the reason is reported, and notifications come later`()
    throws
  {
    try waitUntilConnected()
    let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent)/fd").count
    try limit("nofile", "\(used)")
    try start("Tea")
    try wait { try isShown("Tea") || doctor().contains("Too many open files") }
    #expect(try tool.agent() == agent)
    try limit("nofile", "1024")
    try wait { try isShown("Tea") }
    try expectRecovery()
  }

  @Test func `a limit below the descriptors in use does no more harm`() throws {
    try waitUntilConnected()
    try limit("nofile", "10")
    try start("Tea")
    try wait { try isShown("Tea") || doctor().contains("Too many open files") }
    // Without a running run the agent would end if it has shown the end of this one already.
    try tool.succeed("extend", "1m", "base")
    try limit("nofile", "1024")
    try tool.succeed("extend", "1m", "base")
    try wait { try isShown("Tea") }
    try expectRecovery()
  }

  @Test func `an agent that may have too few descriptors says so to the command that needs it`() throws {
    kill(agent, SIGKILL)
    try tool.waitForEndOfAgent()
    let output = try ChildProcess.run(
      "/bin/sh",
      ["-c", "ulimit -n 40; exec \"$0\" pause", try BuiltProducts.path(of: "sequence")],
      environment: tool.environment)
    #expect(output.status == 0)
    #expect(
      output.errors.contains("open 64 files with ulimit -n 40 failed: Too many open files"), "\(output)")
  }

  @Test func `with 64 MiB of addresses more than at rest notifications come`() throws {
    let status = try String(contentsOfFile: "/proc/\(agent)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmSize:") })
    let size = try #require(Int(line.filter(\.isNumber)))
    try limit("as", "\((size + 64 * 1024) * 1024)")
    try start("Tea")
    _ = try server.next("notify") { $0.summary == "Tea is finished" }
    for command in ["pause", "resume", "next"] { try tool.succeed(command, "base") }
    try limit("as", "unlimited")
    try expectRecovery()
  }

  @Test(.disabled(if: geteuid() == 0, "root may have any number of processes"))
  func `without processes and threads notifications come, and hooks and panel later`() throws {
    try tool.configure(ExhaustionTests.configuration(hasPanel: false))
    let usual = try ExhaustionTests.limit("nproc", of: agent)
    kill(agent, SIGKILL)
    try tool.waitForEndOfAgent()
    try tool.startAgent()
    let other = try tool.waitForAgent()
    // GLib has its threads then; without them it would end the agent.
    try wait {
      let report = try tool.json("agent", "status")
      return report["process"] as? pid_t == other && report["server"] != nil
    }
    try wait { try log().components(separatedBy: "no system bus").count > 2 }
    try ExhaustionTests.limit("nproc", of: other, "1")
    try start("Tea")
    _ = try server.next("notify") { $0.summary == "Tea is finished" }
    try tool.configure(ExhaustionTests.configuration(hasPanel: true))
    try tool.succeed("extend", "1s", "base")
    try wait {
      try log().contains(
        "the panel and media keys do not have the run: pthread_create: Resource temporarily unavailable")
    }
    #expect(try doctor().contains("could not be started"))
    try ExhaustionTests.limit("nproc", of: other, usual)
    let panel = try RecordingServer(asPanelOn: bus)
    #expect(try panel.next("registered", within: .seconds(40)).text?.contains("\(other)") == true)
    #expect(try tool.agent() == other)
    try tool.succeed("stop", "--all")
    try tool.succeed("notifications", "clear", "--all")
    try tool.waitForEndOfAgent()
  }

  @Test(.enabled(if: ExhaustionTests.canTrace, "this user may trace its own children only"))
  func `on a full disk the agent waits, says so, and shows the notification once there is room`() throws {
    let traced = try ChildProcess(
      "/usr/bin/strace",
      [
        "-f", "-p", "\(agent)", "-o", tool.directory.path + "/trace", "-e", "trace=pwrite64,ftruncate",
        "-e", "inject=pwrite64,ftruncate:error=ENOSPC",
      ])
    try wait {
      try !String(contentsOfFile: "/proc/\(agent)/status", encoding: .utf8).contains("TracerPid:\t0\n")
    }
    try start("Tea")
    try wait { try log().contains("disk") && !isShown("Tea") }
    traced.signal(SIGTERM)
    _ = try traced.exitStatus()
    try wait { try isShown("Tea") }
    try expectRecovery()
  }
}
