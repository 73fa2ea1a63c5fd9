import Glibc
import Platform
import SequenceRunner

/// The user's service manager, systemd, to which `systemctl --user` speaks.
package struct ServiceManager: Sendable {
  let environment: EnvironmentVariables
  let clock: any ClockSource
  /// How long an answer may take.
  var limit = Duration.seconds(10)

  /// Whether systemd is what manages services here, as `sd_booted(3)` has it.
  package static var isPresent: Bool { unsafe access("/run/systemd/system/", F_OK) == 0 }

  private static let program = "systemctl"

  /// Sees to it that a unit is started after a login; the files of units are read anew first.
  func enable(_ unit: String) throws(ServiceManagerError) {
    try reload()
    try call(["enable", unit])
  }

  /// Sees to it that a unit is not started any more after a login.
  func disable(_ unit: String) throws(ServiceManagerError) { try call(["disable", unit]) }

  /// Has the files of units read anew.
  func reload() throws(ServiceManagerError) { try call(["daemon-reload"]) }

  private func call(_ words: [String]) throws(ServiceManagerError) {
    // Without a PATH it is nowhere.
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
