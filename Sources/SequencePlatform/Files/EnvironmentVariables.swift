import CSequenceLinux
import Glibc

/// Environment variables: those of this process, or others in their place.
///
/// Variables of the process are looked up one by one. A dictionary of all takes a seventh of the run time of a short
/// command, and Foundation's a quarter.
package struct EnvironmentVariables: Sendable {
  /// The variables; `nil` for those of this process.
  private let given: [String: String]?

  package static let process = EnvironmentVariables(given: nil)

  package init(_ variables: [String: String]) {
    self.init(given: variables)
  }

  private init(given: [String: String]?) {
    self.given = given
  }

  /// - Complexity: O(n) in the number of variables.
  package subscript(_ name: String) -> String? {
    if let given { return given[name] }
    return unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The variables as they are now: those of the process may change.
  package var copy: EnvironmentVariables {
    EnvironmentVariables(
      Dictionary(
        entries.compactMap { entry in
          let scalars = entry.unicodeScalars
          guard let end = scalars.firstIndex(of: "="), end != entry.startIndex else { return nil }
          return (String(scalars[..<end]), String(scalars[scalars.index(after: end)...]))
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// All variables, each as `NAME=value`, as a program is started with.
  package var entries: [String] {
    if let given { return given.map { "\($0.key)=\($0.value)" } }
    var entries: [String] = []
    guard var entry = unsafe sequence_environment() else { return entries }
    while let text = unsafe entry.pointee {
      unsafe entries.append(String(cString: text))
      unsafe entry += 1
    }
    return entries
  }
}

extension EnvironmentVariables: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral variables: (String, String)...) {
    self.init(Dictionary(variables) { first, _ in first })
  }
}

/// The directories of the XDG Base Directory Specification.
///
/// A relative path in one of its variables is ignored, as it demands.
extension EnvironmentVariables {
  /// A directory for the files of one kind.
  ///
  /// - Parameters:
  ///   - variable: the variable with its path, such as `XDG_STATE_HOME`.
  ///   - usual: its path in the user's home if the variable is not set, such as `.local/state`.
  /// - Returns: `nil` if not even `HOME` is set.
  package func directory(_ variable: String, orInHome usual: String) -> String? {
    if let directory = self[variable], isAbsolute(directory) { return directory }
    guard let home = self["HOME"], !home.isEmpty else { return nil }
    return home + "/" + usual
  }

  /// The directory for files that live as long as the login session, such as the socket of the session bus.
  ///
  /// Where `XDG_RUNTIME_DIR` is not set, as in a job of cron, it is that of the user's login, which need not be there
  /// (pam_systemd(8), "Directories").
  package var runtimeDirectory: String {
    if let directory = self["XDG_RUNTIME_DIR"], isAbsolute(directory) { return directory }
    return "/run/user/\(getuid())"
  }

  /// The address of the session bus: the one that is set, else that of `bus` in the runtime directory, where a login
  /// has it.
  package var sessionBusAddress: String {
    if let address = self["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    return "unix:path=\(runtimeDirectory)/bus"
  }

  /// Sets `XDG_RUNTIME_DIR` for this process and its children if it is missing, so that they find the user's login.
  ///
  /// Must be called before there is a second thread, which might read the environment.
  package static func adoptRuntimeDirectory() throws(SystemError) {
    let directory = process.runtimeDirectory
    _ = try SystemError.check("setenv") { unsafe setenv("XDG_RUNTIME_DIR", directory, 1) }
  }
}
