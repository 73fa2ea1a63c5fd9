import CSequenceLinux
import Glibc
package import SequencePlatform
package import SequenceStore

/// Starts `sequence-agent`, detached from the terminal and from the process that starts it.
package enum AgentLauncher {
  /// The size of the log of agents, in bytes, above which the next start empties it.
  private static let largestLog = 65_536

  /// Waits until the agent has begun its work; returns its process.
  package static func start(_ directory: StateDirectory, _ environment: EnvironmentVariables) throws -> Int32
  {
    let agent = try launch(directory, environment)
    try agent.waitForStart()
    return agent.process
  }

  /// Doesn't wait for the beginning of the agent's work.
  package static func launch(
    _ directory: StateDirectory, _ environment: EnvironmentVariables
  ) throws -> LaunchedAgent {
    let program = try path()
    let state = absolutePath(directory.path)
    try emptyLogIfLarge(directory)
    let log = Subprocess.Stream.path(
      directory.agentLogPath, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    let logged = logSize(directory)
    var report = try StartReport()
    // In a working directory of its own, the agent would keep a file system from being unmounted.
    let process = try report.spawn(
      [program, "--state-dir", state], environment: environment.entries, output: log, in: "/")
    return LaunchedAgent(process: process, report: report, directory: directory, logged: logged)
  }

  package static func path() throws -> String {
    let program = "sequence-agent"
    guard let path = try installedProgram(program) else {
      throw ClientError.missingProgram(program, places: try installedPaths(of: program))
    }
    return path
  }

  package static func lastMessage(_ directory: StateDirectory) throws(SystemError) -> AgentMessage? {
    do throws(SystemError) {
      let file = try FileDescriptor(opening: directory.agentLogPath, O_RDONLY | O_NOFOLLOW)
      let end = try SystemError.check("seek") { lseek(file.number, 0, SEEK_END) }
      _ = try SystemError.check("seek") { lseek(file.number, max(0, end - 4096), SEEK_SET) }
      let text = String(decoding: try file.read(atMost: 4096) ?? [], as: UTF8.self)
      guard var line = text.split(separator: "\n").last else { return nil }
      // It begins with its time, unless another program wrote it.
      if let time = line.firstIndex(of: " "), line[..<time].hasSuffix("Z"), line.first?.isNumber == true {
        line = line[line.index(after: time)...]
      }
      var status = stat()
      _ = try SystemError.check("stat \(directory.agentLogPath)") { unsafe fstat(file.number, &status) }
      return AgentMessage(
        text: String(line),
        written: Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec))
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  private static func emptyLogIfLarge(_ directory: StateDirectory) throws(SystemError) {
    guard logSize(directory) > largestLog else { return }
    let path = directory.agentLogPath
    _ = try SystemError.check("empty \(path)") { unsafe truncate(path, 0) }
  }

  fileprivate static func logSize(_ directory: StateDirectory) -> Int {
    var status = stat()
    return unsafe lstat(directory.agentLogPath, &status) == 0 ? Int(status.st_size) : 0
  }
}

package struct AgentMessage: Sendable {
  package let text: String
  /// The time of writing: the problem may be solved by now.
  package let written: Moment
}

/// An agent that was started, and may not have begun its work yet.
package final class LaunchedAgent: Sendable {
  package let process: Int32
  private let report: StartReport
  private let directory: StateDirectory
  /// The size of the log before the start.
  private let logged: Int

  /// How long an agent may take to begin its work before it counts as begun.
  private static let limit = Duration.seconds(1)

  fileprivate init(process: Int32, report: consuming StartReport, directory: StateDirectory, logged: Int) {
    (self.process, self.directory, self.logged) = (process, directory, logged)
    self.report = report
  }

  /// Waits until the agent has begun its work, at most a second; once.
  package func waitForStart() throws {
    guard try !report.wait(within: LaunchedAgent.limit) else { return }
    let ending = try Termination.wait(for: process)
    switch ending {
    // It had nothing to do, another agent was faster, or it was asked to end.
    case .exit(0), .exit(128 + SIGHUP), .exit(128 + SIGINT), .exit(128 + SIGTERM), .signal(SIGHUP),
      .signal(SIGINT), .signal(SIGTERM):
      return
    case .exit, .signal:
      let message =
        AgentLauncher.logSize(directory) > logged ? try AgentLauncher.lastMessage(directory) : nil
      throw ClientError.agentCannotRun(ending, message: message?.text)
    }
  }
}
