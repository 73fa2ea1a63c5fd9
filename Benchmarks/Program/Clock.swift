import CSequenceLinux
import Glibc

/// Returns the boot clock in nanoseconds, like the agent, the floors and the recording server.
func bootTime() -> Int64 { time(of: CLOCK_BOOTTIME) }

func time(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func pause(_ duration: Duration) {
  let end = bootTime() + Int64(duration / .nanoseconds(1))
  var left = end - bootTime()
  while left > 0 {
    var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    nanosleep(&time, nil)
    left = end - bootTime()
  }
}
