import Glibc
import SequencePlatform
import SequenceStore

@testable import SequenceClient

extension Client {
  /// A client that never starts an agent.
  static func idle(in directory: StateDirectory) throws -> Client {
    try Client(
      in: directory,
      ClientContext(environment: [:], clock: SystemClock(), startAgent: { _ in getpid() }, warn: { _ in }))
  }
}
