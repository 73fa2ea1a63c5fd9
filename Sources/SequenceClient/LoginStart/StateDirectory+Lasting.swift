import Glibc
import SequencePlatform
import SequenceRunner
package import SequenceStore

extension StateDirectory {
  /// The directory with an absolute path, which an agent can be started with at login.
  ///
  /// - Throws: `StoreError`; `SystemError`.
  package func lasting() throws -> StateDirectory {
    let path = absolutePath(path)
    // systemd rejects `..` in the paths of a unit.
    guard pathParts(path).contains("..") else { return StateDirectory(path: path) }
    try make()
    try requireOwned()
    guard let real = resolvedPath(path) else { throw SystemError(call: "resolve \(path)", code: errno) }
    return StateDirectory(path: real)
  }
}
