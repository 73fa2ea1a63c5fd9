import CSequenceLinux
import Glibc
import SequencePlatform
import SequenceRunner
import SequenceStore

struct LoginFiles {
  private let folder: String

  init?(_ environment: EnvironmentVariables) {
    guard let folder = environment.directory("XDG_CONFIG_HOME", orInHome: ".config"), isAbsolute(folder)
    else { return nil }
    self.folder = folder
  }

  var units: String { folder + "/systemd/user" }
  var usual: LoginFile { unit(LoginUnit.usual.file) }
  var template: LoginFile { unit(LoginUnit.template) }
  var entry: LoginFile {
    LoginFile(
      name: "sequence-agent.desktop", directory: folder + "/autostart", shipped: "/share/sequence-timer")
  }

  func unit(_ name: String) -> LoginFile {
    LoginFile(name: name, directory: units, shipped: "/lib/systemd/user")
  }

  /// Returns the prefix of the installation that an agent belongs to; `nil` for a build that isn't installed.
  static func prefix(of program: String) -> String? {
    let place = "/libexec/sequence/sequence-agent"
    return program.hasSuffix(place) ? String(program.dropLast(place.count)) : nil
  }
}

struct LoginFile {
  let name: String
  let link: String
  /// The path below the prefix of the installation.
  let shipped: String

  init(name: String, directory: String, shipped: String) {
    self.name = name
    link = directory + "/" + name
    self.shipped = shipped + "/" + name
  }

  enum Owner {
    case nobody
    /// `agent install`, also of a version that wrote files instead of links.
    case us
    case others
  }

  func owner() throws(SystemError) -> Owner {
    do throws(SystemError) {
      var status = stat()
      _ = try SystemError.check("look at \(link)") { unsafe lstat(link, &status) }
      switch status.st_mode & S_IFMT {
      case S_IFLNK:
        let parts = pathParts(shipped)
        return pathParts(try linkTarget(link)).suffix(parts.count).elementsEqual(parts) ? .us : .others
      case S_IFREG:
        let heading = Array("# Written by sequence agent install".utf8)
        let file = try FileDescriptor(opening: link, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return try file.read(atMost: heading.count).map(Array.init) == heading ? .us : .others
      default: return .others
      }
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return .nobody
    } catch  where error.code == EACCES {
      return .others
    }
  }

  /// Whether the link leads to a file, as it doesn't after the installation was removed.
  var leadsToFile: Bool { unsafe access(link, R_OK) == 0 }

  func link(to prefix: String) throws {
    let target = prefix + shipped
    guard unsafe access(target, R_OK) == 0 else { throw LoginStartError.missing(path: target) }
    guard try owner() != .others else { throw LoginStartError.foreign(path: link) }
    try makeDirectory(directory(ofFileAt: link))
    try remove()
    _ = try SystemError.check("create the link \(link)") { unsafe symlink(target, link) }
  }

  /// Removes the link, unless the service manager has done so.
  func remove() throws(SystemError) {
    do throws(SystemError) {
      _ = try SystemError.check("remove \(link)") { unsafe unlink(link) }
    } catch  where error.code == ENOENT {}
  }
}

/// The unit of systemd that starts the agent of a state directory.
struct LoginUnit {
  let file: String
  /// The name to enable: that of the file, with the instance if it is a template.
  let name: String

  /// The unit for `~/.local/state/sequence`, which a package can enable for all users.
  static let usual = LoginUnit(file: "sequence-agent.service", name: "sequence-agent.service")
  /// The file of the units for all other state directories.
  static let template = "sequence-agent@.service"

  /// The longest name that systemd accepts, in bytes.
  private static let longestName = 255

  private init(file: String, name: String) {
    self.file = file
    self.name = name
  }

  /// The unit for an absolute path; `nil` if the path is too long for the name of a unit.
  init?(_ state: StateDirectory, _ environment: EnvironmentVariables) {
    if let home = environment["HOME"], LoginUnit.isSame(state.path, home + "/.local/state/sequence") {
      self = .usual
      return
    }
    let name = "sequence-agent@\(LoginUnit.escaped(state.path)).service"
    guard name.utf8.count <= LoginUnit.longestName else { return nil }
    self.init(file: LoginUnit.template, name: name)
  }

  var isUsual: Bool { file == LoginUnit.usual.file }

  func enablingLink(in directory: String) -> String { "\(directory)/default.target.wants/\(name)" }

  /// Returns whether the unit is enabled in a directory of units; a broken link enables nothing.
  func isEnabled(in directory: String) -> Bool { unsafe access(enablingLink(in: directory), F_OK) == 0 }

  static func isSame(_ path: String, _ other: String) -> Bool {
    if escaped(path) == escaped(other) { return true }
    guard let path = resolvedPath(path), let other = resolvedPath(other) else { return false }
    return escaped(path) == escaped(other)
  }

  /// Escapes a path as `systemd-escape --path` does; `%f` in a unit is the path again.
  static func escaped(_ path: String) -> String {
    let parts = pathParts(path).filter { $0 != "." }
    guard !parts.isEmpty else { return "-" }
    var text = ""
    for byte in parts.joined(separator: "/").utf8 {
      switch byte {
      case UInt8(ascii: "/"): text += "-"
      case UInt8(ascii: ".") where !text.isEmpty, UInt8(ascii: ":"), UInt8(ascii: "_"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += #"\x"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return text
  }
}

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
  func failure(of action: String, _ unit: String) -> LocalizedText? {
    // Without a PATH, the program is not searched in default directories.
    guard let path = findProgram(ServiceManager.program, in: environment["PATH"] ?? "") else {
      return LocalizedText("program not found: \(ServiceManager.program)")
    }
    let words = ["--user", action, unit]
    let process: BoundedProcess
    do throws(SystemError) {
      process = try BoundedProcess([path] + words, environment: environment, within: limit, by: clock)
    } catch {
      return error.problem.text
    }
    let command = "\(ServiceManager.program) \(words.joined(separator: " "))"
    let said = process.errors.split(separator: "\n").joined(separator: ", ")
    switch process.ending {
    case .ended(.exit(0)), .answered: return nil
    case .ended(.exit(let status)):
      return said.isEmpty
        ? LocalizedText("\(command) failed: exit status \(status)")
        : LocalizedText("\(command) failed: \(said)")
    case .ended(.signal(let number)): return LocalizedText("\(command) failed: killed by signal \(number)")
    case .timedOut: return LocalizedText("\(command) failed: no answer within \(limit.components.seconds) s")
    }
  }
}
