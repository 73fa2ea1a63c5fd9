import CLinux

/// The environment that this process was started with.
///
/// Foundation's own takes a quarter of the time in which a short command is done.
package func processEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  guard var entry = unsafe sequence_environment() else { return variables }
  while let text = unsafe entry.pointee {
    let parts = unsafe String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // Of two of a name the first counts, as for getenv.
    if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
    unsafe entry += 1
  }
  return variables
}
