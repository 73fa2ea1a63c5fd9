import CSequenceLinux
import Foundation
import Glibc
import SequencePlatform
import SequenceRunner

/// A process that commands take for an agent: it holds the lock, responds, and does nothing else.
package final class StandInAgent: Sendable {
  private let lock: FileLock
  private let bell: Bell

  private final class Bell: Sendable {
    let event: FileDescriptor
    init() throws(SystemError) {
      event = FileDescriptor(
        owning: try SystemError.check("eventfd") { eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)) })
    }
  }

  /// - Throws: `TestSupportError` if an agent already serves the state directory.
  package init(in state: String) throws {
    lock = try FileLock(path: state + "/agent.lock")
    guard try lock.take() else { throw TestSupportError("an agent serves \(state)") }
    let presence = try PresenceSocket(path: state + "/agent.socket")
    let bell = try Bell()
    self.bell = bell
    Thread.detachNewThread {
      while let ready = try? waitUntilReadable([bell.event.number, presence.descriptor]),
        !ready.contains(bell.event.number)
      {
        try? presence.answer { false }
      }
    }
  }

  deinit {
    var one: UInt64 = 1
    _ = write(bell.event.number, &one, MemoryLayout<UInt64>.size)
  }
}
