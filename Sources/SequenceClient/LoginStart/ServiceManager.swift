import Glibc
import SequencePlatform
import SequenceRunner

/// The user's service manager, systemd, controlled with `systemctl --user`.
package struct ServiceManager: Sendable {
  let environment: EnvironmentVariables
  let clock: any ClockSource
  var limit = Duration.seconds(10)

  /// Whether systemd manages the services of this machine (see `sd_booted(3)`).
  package static var isPresent: Bool { unsafe access("/run/systemd/system/", F_OK) == 0 }

  private static let program = "systemctl"

  /// Returns why the service manager failed to change a unit; `nil` if it didn't.
  ///
  /// - Parameter action: the command of `systemctl`, such as `enable`.
  func failure(of action: String, _ unit: String) -> String? {
    // Without a PATH, the program is not searched in default directories.
    guard let path = findProgram(ServiceManager.program, in: environment["PATH"] ?? "") else {
      return "program not found: \(ServiceManager.program)"
    }
    let words = ["--user", action, unit]
    let process: BoundedProcess
    do throws(SystemError) {
      process = try BoundedProcess([path] + words, environment: environment, within: limit, by: clock)
    } catch {
      return error.problem.text
    }
    let failure = "\(ServiceManager.program) \(words.joined(separator: " ")) failed: "
    let said = process.errors.split(separator: "\n").joined(separator: ", ")
    switch process.ending {
    case .ended(.exit(0)), .answered: return nil
    case .ended(.exit(let status)): return failure + (said.isEmpty ? "exit status \(status)" : said)
    case .ended(.signal(let number)): return failure + "killed by signal \(number)"
    case .timedOut: return failure + "no answer within \(limit.components.seconds) s"
    }
  }
}
