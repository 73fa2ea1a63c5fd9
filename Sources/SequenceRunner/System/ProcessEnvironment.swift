import CLinux
import Glibc

/// The environment that this process was started with.
///
/// Foundation's own takes a quarter of the time in which a short command is done.
package func processEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  guard var entry = unsafe sequence_environment() else { return variables }
  variables.reserveCapacity(64)
  while let text = unsafe entry.pointee {
    unsafe entry += 1
    guard let equals = unsafe strchr(text, Int32(UInt8(ascii: "="))) else { continue }
    let name = unsafe String(
      decoding: UnsafeRawBufferPointer(start: text, count: equals - text), as: UTF8.self)
    // Of two of a name the first counts, as for getenv.
    if variables[name] == nil { variables[name] = unsafe String(cString: equals + 1) }
  }
  return variables
}
