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
  static func start(_ directory: StateDirectory) throws {
    let program = try path()
    let state = try absolute(directory.path)
    try beginLogAnewIfLarge(directory.agentLogPath)
    let log = DetachedProcess.File.path(
      directory.agentLogPath, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    _ = try DetachedProcess.spawn(
      [program, "--state-dir", state],
      environment: EnvironmentVariables.process.entries,
      files: (.path("/dev/null", flags: O_RDONLY), log, log))
  }

  /// Where the agent is.
  static func path() throws -> String { try path(of: "sequence-agent") }

  /// Where a program of ours is: beside the command, or in the libexec directory of the same installation.
  static func path(of program: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = own.split(separator: "/").dropLast()
    let beside: [Substring] = folder + [program[...]]
    let libexec: [Substring] = folder.dropLast() + ["libexec", "sequence", program[...]]
    let candidates = [beside, libexec].map { "/" + $0.joined(separator: "/") }
    guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw Failure(
        "\(program) is neither \(candidates.joined(separator: " nor ")); install it beside sequence",
        .inputOutput)
    }
    return found
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
