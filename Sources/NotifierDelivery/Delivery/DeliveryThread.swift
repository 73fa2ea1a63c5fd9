import Glibc
package import SequencePlatform
package import SequenceStore

/// The thread that delivers from a store for a program, as long as it is held; one in a directory.
package final class DeliveryThread: Sendable {
  private let ending: MessageQueue<Void>
  private let end = DeliveryEnd()

  /// Takes the lock of a directory, connects to the desktop, and starts to deliver.
  ///
  /// - Parameters:
  ///   - onFailure: receives the error that has ended the delivery; called in the thread.
  ///   - deliver: delivers from one store through a connection, until a descriptor is readable; returns whether another
  ///     store has taken the place of that store. Called in the thread.
  ///   - atEnd: called in the thread after all of that.
  package init(
    in directory: StateDirectory, _ clock: any ClockSource, _ application: NotifyingApplication,
    through desktop: Desktop,
    onFailure: @escaping @Sendable (any Error) -> Void,
    deliver: @escaping @Sendable (_ connection: any DesktopConnection, _ ending: Int32) throws -> Bool,
    atEnd: @escaping @Sendable () -> Void = {}
  ) throws {
    if let required = desktop.clock, required !== clock.manualClock { throw SchedulerError.otherClock }
    let ending = try MessageQueue<Void>()
    self.ending = ending
    let lock = try FileLock(path: directory.agentLockPath)
    guard try lock.take() else { throw SchedulerError.directoryInUse(directory.path) }
    let holder = LockHolder(lock)
    let first = try desktop.connect(application, clock, directory)
    let end = end
    do {
      try startThread {
        do {
          var connection = first
          let delivering = Result {
            while try deliver(connection, ending.descriptor) {
              // Another store has the same numbers for other entries: answers to earlier orders must not reach it.
              try connection.end()
              connection = try desktop.connect(application, clock, directory)
            }
          }
          try connection.end()
          try delivering.get()
        } catch {
          onFailure(error)
        }
        atEnd()
        // Held until here, so that no other process delivers from the directory before this one has ended.
        do throws(SystemError) { try holder.release() } catch { onFailure(error) }
        end.complete()
      }
    } catch {
      try first.end()
      throw error
    }
  }

  deinit { ending.put(()) }

  package func shutdown() async {
    ending.put(())
    await end.wait()
  }
}

/// Shares a lock with the thread that gives it back.
private final class LockHolder: Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) {
    self.lock = lock
  }

  func release() throws(SystemError) { try lock.release() }
}
