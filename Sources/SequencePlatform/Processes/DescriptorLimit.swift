import Glibc

package enum DescriptorLimit {
  /// The usual limit; programs that this process starts may not be prepared for more.
  private static let usual: rlim_t = 1024

  /// Raises a limit that is lower than usual, as far as the system allows it.
  ///
  /// - Throws: `SystemError` if this process can't have `fewest` descriptors.
  package static func raise(toAtLeast fewest: Int) throws(SystemError) {
    var limit = rlimit()
    _ = try SystemError.check("getrlimit") {
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    if limit.rlim_cur < usual {
      limit.rlim_cur = min(usual, limit.rlim_max)
      _ = try SystemError.check("setrlimit") {
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      }
    }
    guard limit.rlim_cur >= fewest else {
      throw SystemError(call: "open \(fewest) files with ulimit -n \(limit.rlim_cur)", code: EMFILE)
    }
  }
}
