import Foundation
import SequencePlatform
import TestSupport
import Testing

/// An agent whose state directory, or a file in it, is removed, replaced or truncated.
@Suite(.timeLimit(.minutes(5)))
struct RemovedStateTests {
  private let bus: PrivateBus
  private let server: RecordingServer
  private let tool: Tool

  init() throws {
    bus = try PrivateBus()
    server = try RecordingServer(on: bus)
    tool = try Tool(bus: bus.address)
  }

  /// What another program does to a file.
  enum Deed: CaseIterable {
    case removing, replacing, truncating

    func perform(onFileAt path: String) throws {
      switch self {
      // An agent that has noticed that the first file is gone may have removed the others.
      case .removing:
        do throws(SystemError) {
          _ = try SystemError.check("unlink") { unlink(path) }
        } catch  where error.code == ENOENT {}
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

  private static let deeds = files.flatMap { files in
    Deed.allCases.filter { $0 != .truncating || files != ["agent.socket"] && files.count < 2 }
      .map { (files, $0) }
  }

  /// The processes that are agents of the tool.
  private func agents() throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { process in
      // A process may end meanwhile.
      let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      return line?.hasSuffix("sequence-agent\0--state-dir\0\(tool.state)\0") == true
    }
  }

  /// Waits until so many processes are agents of the tool; others may be ending.
  private func wait(untilAgentsAre count: Int) throws {
    let timer = try DeadlineTimer()
    try timer.arm(SystemClock.boot() + .seconds(20 * patience))
    while true {
      let agents = try agents()
      guard agents.count > count else { return #expect(agents.count == count) }
      // One that has ended meanwhile has no descriptor.
      let ends = agents.compactMap { try? ProcessEnd(of: $0) }
      guard ends.count == agents.count else { continue }
      let ready = try waitUntilReadable(ends.map { $0.descriptor.number } + [timer.descriptor])
      if ready.contains(timer.descriptor) { throw TestSupportError("the agents \(agents) stay") }
    }
  }

  /// The lines that hooks have written.
  private func hooks() throws -> [String] {
    let text = try String(contentsOfFile: tool.directory.path + "/hooks", encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  private func configureHooks() throws {
    try tool.configure(
      """
      hooks:
        - on: [run-start, step-start, step-end, pause, resume, extend, run-end, stop]
          run: [sh, -c, 'echo "$SEQUENCE_EVENT $SEQUENCE_RUN_ID $SEQUENCE_STEP_NUMBER $SEQUENCE_AT" >>"$HOME/hooks"']

      """)
  }

  @Test(arguments: deeds)
  func `a new run is notified, by one agent, after a file was lost`(files: [String], deed: Deed) throws {
    try configureHooks()
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    _ = try tool.waitForAgent()
    let display = try tool.begin("attach")
    _ = try display.line()
    // The last use of this lock has ended; another one may begin.
    for file in files where !FileManager.default.fileExists(atPath: tool.state + "/" + file) {
      _ = try FileLock(path: tool.state + "/" + file)
    }
    for file in files { try deed.perform(onFileAt: tool.state + "/" + file) }
    try tool.succeed("start", "--replace", "--title", "N", "--card", "New 0.3s", "--card", "Next 1h")
    let shown = try server.next("notify")
    #expect(shown.body?.hasPrefix("New is over") == true, "\(shown)")
    try tool.wait { $0.contains("delivered") }
    for time in ["1m", "2m", "3m"] { try tool.succeed("extend", time) }
    try wait(untilAgentsAre: 1)
    try tool.succeed("stop", "--all")
    try wait(untilAgentsAre: 0)
    let lines = try hooks()
    #expect(lines.count == Set(lines).count, "\(lines)")
    #expect(lines.count { $0.hasPrefix("extend ") } == 3, "\(lines)")
    display.signal(SIGHUP)
  }

  /// Those without data of runs that are nowhere else.
  private static let harmless = deeds.filter { files, _ in
    files.allSatisfy { !$0.hasSuffix(".db") && !$0.hasSuffix("-wal") }
  }

  @Test(arguments: harmless)
  func `a notification comes without a command after a file was lost`(files: [String], deed: Deed) throws {
    try tool.succeed("start", "--card", "A 1.5s", "--card", "B 1h")
    _ = try tool.waitForAgent()
    for file in files where !FileManager.default.fileExists(atPath: tool.state + "/" + file) {
      _ = try FileLock(path: tool.state + "/" + file)
    }
    for file in files { try deed.perform(onFileAt: tool.state + "/" + file) }
    let shown = try server.next("notify")
    #expect(shown.body?.hasPrefix("A is over") == true, "\(shown)")
    try tool.succeed("stop")
    try wait(untilAgentsAre: 0)
    #expect(try tool.notificationStates().allSatisfy { ["removed", "cancelled"].contains($0) })
  }

  @Test(arguments: [true, false])
  func `visible notifications disappear with a state directory that is removed or renamed`(isRenamed: Bool)
    throws
  {
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
