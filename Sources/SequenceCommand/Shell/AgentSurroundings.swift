import FoundationEssentials
import Glibc
import NotificationLedger
import Platform
import SequenceRunner

/// The session bus of the agent that runs, beside that of this command.
struct AgentSurroundings {
  private let environment: EnvironmentVariables

  /// How long an agent may take to end when it is asked to.
  private static let longestEnd = Duration.seconds(2)

  init(_ environment: EnvironmentVariables) {
    self.environment = environment
  }

  /// Whether an agent can show nothing on the session bus that it was started with, and there is another one here.
  ///
  /// So it is where a job of cron, or a session that is over, has started it.
  ///
  /// - Parameter report: what the agent has reported, which is there.
  func lacksBus(_ report: AgentReport) throws -> Bool {
    let address = environment.sessionBusAddress
    guard case .unavailable = report.desktop, AgentSurroundings.isBusThere(address),
      let theirs = try AgentSurroundings.environment(of: report.process)
    else { return false }
    return theirs.sessionBusAddress != address
  }

  /// Ends such an agent, so that another one can take its place.
  ///
  /// - Returns: whether the lock of the agent is free.
  func end(_ report: AgentReport, beside lock: borrowing FileLock) throws -> Bool {
    // It may have ended meanwhile, which is what is wanted.
    _ = kill(report.process, SIGTERM)
    guard try lock.take(within: AgentSurroundings.longestEnd) else { return false }
    try lock.release()
    return true
  }

  /// Whether a session bus is at an address, as far as that can be told without connecting.
  private static func isBusThere(_ address: String) -> Bool {
    // As in `unix:path=/run/user/1000/bus,guid=…`.
    guard address.hasPrefix("unix:path=") else { return true }
    let path = address.dropFirst("unix:path=".count).prefix { $0 != "," && $0 != ";" }
    return FileManager.default.fileExists(atPath: String(path))
  }

  /// The variables that an agent was started with; `nil` if the process is none, or not this user's.
  private static func environment(of process: Int32) throws -> EnvironmentVariables? {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let name = try FileDescriptor(opening: "/proc/\(process)/comm", O_RDONLY).read(atMost: 32)
      guard name == Array("sequence-agent\n".utf8) else { return nil }
      let file = try FileDescriptor(opening: "/proc/\(process)/environ", O_RDONLY)
      while let part = try file.read(atMost: 65_536), !part.isEmpty { bytes += part }
    } catch {
      // It has just ended, or is somebody else's by now.
      guard [ENOENT, ESRCH, EACCES, EPERM].contains(error.code) else { throw error }
      return nil
    }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      variables[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
    }
    return EnvironmentVariables(variables)
  }
}
