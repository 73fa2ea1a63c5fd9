import Foundation
import SequencePlatform
import TestSupport
import Testing

/// An agent whose state directory, or a file in it, is removed, replaced or truncated.
@Suite(.timeLimit(.minutes(5)))
struct RemovedStateTests {
  private let bus: PrivateBus
  private let server: RecordingServer

  init() throws {
    bus = try PrivateBus()
    server = try RecordingServer(on: bus)
  }

  /// What another program does to a file.
  enum Deed: CaseIterable {
    case removing, replacing, truncating

    func perform(onFileAt path: String) throws {
      switch self {
      // An agent that has noticed that the first file is gone may have removed the others.
      case .removing:
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError(call: "unlink", code: errno) }
      case .replacing:
        // A copy, as of a backup; a copy of a lock or a socket is an empty file.
        let content = path.hasSuffix(".socket") ? Data() : try Data(contentsOf: URL(filePath: path))
        try content.write(to: URL(filePath: path + ".copy"))
        _ = try SystemError.check("rename") { rename(path + ".copy", path) }
      case .truncating: _ = try SystemError.check("truncate") { truncate(path, 0) }
      }
    }
  }

  /// The files of the state directory, alone or together.
  private static let files = [
    ["sequence.db"], ["sequence.db-wal"], ["sequence.db-shm"], ["sequence.db-wal", "sequence.db-shm"],
    ["sequence.db", "sequence.db-wal", "sequence.db-shm"], ["store.lock"], ["agent.lock"], ["agent.socket"],
    ["agent.lock", "agent.socket"], ["agent.log"], ["display.lock"], ["foreground.lock"],
  ]

  /// The files that a deed is done to, each group in a state directory of its own.
  private static func files(for deed: Deed) -> [[String]] {
    files.filter { deed != .truncating || $0 != ["agent.socket"] && $0.count < 2 }
  }

  private func agents(of tool: Tool) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { process in
      // A process may end meanwhile.
      let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      return line?.contains("sequence-agent\0--state-dir\0\(tool.state)\0") == true
    }
  }

  /// Waits until so many processes are agents of a tool; others may be ending.
  private func wait(untilAgentsOf tool: Tool, are count: Int, afterLoss files: [String]) throws {
    let timer = try DeadlineTimer()
    try timer.arm(SystemClock.boot() + .seconds(20 * patience))
    while true {
      let agents = try agents(of: tool)
      guard agents.count > count else { return #expect(agents.count == count, "\(files)") }
      // One that has ended meanwhile has no descriptor.
      let ends = agents.compactMap { try? ProcessEnd(of: $0) }
      guard ends.count == agents.count else { continue }
      let ready = try waitUntilReadable(ends.map { $0.descriptor.number } + [timer.descriptor])
      if ready.contains(timer.descriptor) { throw TestSupportError("the agents \(agents) stay: \(files)") }
    }
  }

  /// Waits until each of the tools, beside each other, has shown that its card of this name is over.
  private func waitUntilShown(_ card: String, of losses: [(files: [String], tool: Tool)]) throws {
    var missing = Set(losses.indices)
    while !missing.isEmpty {
      do {
        let shown = try server.next("notify")
        missing = missing.filter { shown.body?.hasPrefix("\(card) \($0) is over") != true }
      } catch {
        throw TestSupportError(
          "nothing is shown after the loss of \(missing.map { losses[$0].files }): \(error)")
      }
    }
  }

  private func hooks(of tool: Tool) throws -> [String] {
    let text = try String(contentsOfFile: tool.directory.path + "/hooks", encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  private func configureHooks(of tool: Tool) throws {
    try tool.configure(
      """
      hooks:
        - on: [run-start, step-start, step-end, pause, resume, extend, run-end, stop]
          run: [sh, -c, 'echo "$SEQUENCE_EVENT $SEQUENCE_RUN_ID $SEQUENCE_STEP_NUMBER $SEQUENCE_AT" >>"$HOME/hooks"']

      """)
  }

  private func perform(_ deed: Deed, on files: [String], of tool: Tool) throws {
    // The last use of a lock may have ended; another one may begin.
    for file in files where !FileManager.default.fileExists(atPath: tool.state + "/" + file) {
      _ = try FileLock(path: tool.state + "/" + file)
    }
    for file in files { try deed.perform(onFileAt: tool.state + "/" + file) }
  }

  // The tools of a test wait beside each other.

  @Test(arguments: Deed.allCases)
  func `a new run is notified, by one agent, after a file was lost`(deed: Deed) throws {
    var displays: [ChildProcess] = []
    let losses = try RemovedStateTests.files(for: deed).enumerated().map { number, files in
      let tool = try Tool(bus: bus.address)
      try configureHooks(of: tool)
      try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
      _ = try tool.waitForAgent()
      let display = try tool.begin("attach")
      _ = try display.line()
      displays.append(display)
      try perform(deed, on: files, of: tool)
      try tool.succeed(
        "start", "--replace", "--title", "N", "--card", "New \(number) 0.3s", "--card", "Next 1h")
      return (files: files, tool: tool)
    }
    try waitUntilShown("New", of: losses)
    for (files, tool) in losses {
      try tool.wait { $0.contains("delivered") }
      for time in ["1m", "2m"] { try tool.succeed("extend", time) }
      try wait(untilAgentsOf: tool, are: 1, afterLoss: files)
      try tool.succeed("stop", "--all")
    }
    for (files, tool) in losses {
      try wait(untilAgentsOf: tool, are: 0, afterLoss: files)
      let lines = try hooks(of: tool)
      #expect(lines.count == Set(lines).count, "\(files): \(lines)")
      #expect(lines.count { $0.hasPrefix("extend ") } == 2, "\(files): \(lines)")
    }
    for display in displays { display.signal(SIGHUP) }
  }

  @Test(arguments: Deed.allCases)
  func `a notification comes without a command after a file was lost`(deed: Deed) throws {
    // Files without data of runs that are nowhere else.
    let harmless = RemovedStateTests.files(for: deed).filter { files in
      files.allSatisfy { !$0.hasSuffix(".db") && !$0.hasSuffix("-wal") }
    }
    let losses = try harmless.enumerated().map { number, files in
      let tool = try Tool(bus: bus.address)
      try tool.succeed("start", "--card", "A \(number) 1.5s", "--card", "B 1h")
      _ = try tool.waitForAgent()
      try perform(deed, on: files, of: tool)
      return (files: files, tool: tool)
    }
    try waitUntilShown("A", of: losses)
    for (_, tool) in losses { try tool.succeed("stop") }
    for (files, tool) in losses {
      try wait(untilAgentsOf: tool, are: 0, afterLoss: files)
      #expect(
        try tool.notificationStates().allSatisfy { ["removed", "cancelled"].contains($0) }, "\(files)")
    }
  }

  @Test func `an agent answers at once while its lock can't be made`() throws {
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    let agent = try tool.waitForAgent()
    try FileManager.default.removeItem(atPath: tool.state + "/agent.lock")
    try FileManager.default.createDirectory(
      atPath: tool.state + "/agent.lock", withIntermediateDirectories: false)
    let begin = SystemClock.boot()
    for _ in 0..<10 {
      let reply = try PresenceSocket.ask(path: tool.state + "/agent.socket", within: .seconds(20))
      #expect(reply == .present(process: agent))
    }
    // The lock is tried again each second.
    #expect(SystemClock.boot() - begin < .seconds(5 * patience))
  }

  @Test func `an agent takes a lock that the kernel refused at first`() throws {
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    kill(try tool.waitForAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
    let path = tool.state + "/agent.lock"
    let agent = try ChildProcess(
      "/usr/bin/strace",
      [
        "-qq", "-o", "/dev/stdout", "-P", path, "-e", "trace=fcntl", "-e", "inject=fcntl:error=ENOLCK:when=2",
        BuiltProducts.path(of: "sequence-agent"), "--state-dir", tool.state,
      ], environment: tool.environment.merging(Sanitizer.environmentWithoutLeaks) { own, _ in own })
    #expect(try agent.line().hasSuffix(" = 0"))
    _ = try tool.waitForAgent()
    try FileManager.default.removeItem(atPath: path)
    try tool.succeed("extend", "1m")
    #expect(try agent.line().contains(" ENOLCK "))
    #expect(try agent.line().hasSuffix(" = 0"))
  }

  @Test(arguments: [true, false])
  func `visible notifications disappear with a state directory that is removed or renamed`(isRenamed: Bool)
    throws
  {
    let tool = try Tool(bus: bus.address)
    try tool.succeed("start", "--card", "A 0.2s", "--card", "B 1h", "--card", "C 1h")
    let shown = try server.next("notify")
    try tool.wait { $0.first == "delivered" }
    let end = try FileDescriptor(ofProcess: try tool.waitForAgent())
    if isRenamed {
      try FileManager.default.moveItem(atPath: tool.state, toPath: tool.state + ".old")
    } else {
      try removeDirectory(tool.state)
    }
    #expect(try server.next("closed").id == shown.id)
    _ = try waitUntilReadable([end.number])
    #expect(!FileManager.default.fileExists(atPath: tool.state))
  }
}

private final class ProcessEnd {
  let descriptor: FileDescriptor

  init(of process: pid_t) throws(SystemError) { descriptor = try FileDescriptor(ofProcess: process) }
}
