import Dispatch
import Glibc
import Notifier

/// A daemon that has something to do at its end.
struct Ending {
  let scheduler: NotificationScheduler

  func respondUntilTermination() async {
    signal(SIGTERM, SIG_IGN)
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM)
    termination.setEventHandler { @Sendable in Task { await scheduler.shutdown() } }
    termination.resume()
    for await response in scheduler.responses() { print(response.choice) }
    termination.cancel()
  }
}
