import CSequenceLinux
import FoundationEssentials
import Glibc
import Platform
import SequenceRunner
import Store

/// Starts `sequence-agent`, detached from the terminal and from whoever started it.
enum AgentLauncher {
  /// How large the log of agents may be before it is begun anew, in bytes.
  private static let largestLog = 65_536

  /// Starts an agent for a state directory, and does not wait for it.
  ///
  /// - Returns: its process.
  static func start(_ directory: StateDirectory) throws -> Int32 {
    let program = try path()
    let state = try absolute(directory.path)
    try beginLogAnewIfLarge(directory.agentLogPath)
    let log = Subprocess.Stream.path(
      directory.agentLogPath, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    return try Subprocess.spawn(
      [program, "--state-dir", state],
      environment: EnvironmentVariables.process.entries,
      streams: (.null, log, log))
  }

  /// Where the agent is.
  static func path() throws -> String { try path(of: "sequence-agent") }

  /// Where a program of the same installation is.
  static func path(of program: String) throws -> String {
    guard let path = try installedProgram(program) else {
      let places = try installedPaths(of: program).joined(separator: " nor ")
      throw Failure("\(program) is neither \(places)", remedy: "install it beside sequence", .inputOutput)
    }
    return path
  }

  /// The last line that an agent wrote into its log; `nil` if none ever had to.
  static func lastMessage(_ directory: StateDirectory) throws(SystemError) -> String? {
    do throws(SystemError) {
      let file = try FileDescriptor(opening: directory.agentLogPath, O_RDONLY | O_NOFOLLOW)
      let end = try SystemError.check("seek") { lseek(file.number, 0, SEEK_END) }
      _ = try SystemError.check("seek") { lseek(file.number, max(0, end - 4096), SEEK_SET) }
      let text = String(decoding: try file.read(atMost: 4096) ?? [], as: UTF8.self)
      return text.split(separator: "\n").last.map(String.init)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// A path that means the same wherever it is used.
  static func absolute(_ path: String) throws -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private static func beginLogAnewIfLarge(_ path: String) throws(SystemError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, Int(status.st_size) > largestLog else { return }
    _ = try SystemError.check("empty \(path)") { unsafe truncate(path, 0) }
  }
}
