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
