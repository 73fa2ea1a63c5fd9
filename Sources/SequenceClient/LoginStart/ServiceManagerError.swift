package import Platform

/// Why the service manager did not do what it was asked for.
package enum ServiceManagerError: ExplainedError, Equatable {
  /// The program that speaks to it is not there.
  case missing(program: String)
  /// A command failed, or was not answered in time.
  case failed(command: String, reason: String)
  /// The program that speaks to it could not be run.
  case system(SystemError)

  package var problem: String {
    switch self {
    case .missing(let program): "program not found: \(program)"
    case .failed(let command, let reason): "\(command) failed: \(reason)"
    case .system(let error): error.problem
    }
  }
}
