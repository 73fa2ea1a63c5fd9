import Foundation

/// The time that this thread computes in `body`.
///
/// Unlike the time on a clock, it doesn't grow with what else the machine does.
public func processorTime(of body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}
