import Glibc
import SequencePlatform
import SequenceRunner

/// The user's service manager, systemd, controlled with `systemctl --user`.
package struct ServiceManager: Sendable {
  let environment: EnvironmentVariables
  let clock: any ClockSource
  /// The time limit of a command.
  var limit = Duration.seconds(10)

  /// Whether systemd manages the services of this machine (see `sd_booted(3)`).
  package static var isPresent: Bool { unsafe access("/run/systemd/system/", F_OK) == 0 }

  private static let program = "systemctl"

  /// Enables a unit at login, after reloading all units.
  func enable(_ unit: String) throws(ServiceManagerError) {
    try reload()
    try call(["enable", unit])
  }

  /// Disables a unit at login.
  func disable(_ unit: String) throws(ServiceManagerError) { try call(["disable", unit]) }

  /// Reloads all units.
  func reload() throws(ServiceManagerError) { try call(["daemon-reload"]) }

  private func call(_ words: [String]) throws(ServiceManagerError) {
    // Without a PATH, the program is not searched in default directories.
    guard let path = findProgram(ServiceManager.program, in: environment["PATH"] ?? "") else {
      throw .missing(program: ServiceManager.program)
    }
    let command = ([ServiceManager.program, "--user"] + words).joined(separator: " ")
    let process: BoundedProcess
    do throws(SystemError) {
      process = try BoundedProcess(
        [path, "--user"] + words, environment: environment, within: limit, by: clock)
    } catch {
      throw .system(error)
    }
    let said = process.errors.split(separator: "\n").joined(separator: ", ")
    switch process.ending {
    case .ended(.exit(0)), .answered: return
    case .ended(.exit(let status)):
      throw .failed(command: command, reason: said.isEmpty ? "exit status \(status)" : said)
    case .ended(.signal(let number)): throw .failed(command: command, reason: "killed by signal \(number)")
    case .timedOut:
      throw .failed(
        command: command, reason: "no answer within \(limit.components.seconds) s")
    }
  }
}
