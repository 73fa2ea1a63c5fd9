import Glibc

package enum SystemTimeZone {
  package static let path = "/etc/localtime"

  package static var environment: String? { unsafe getenv("TZ").map { unsafe String(cString: $0) } }

  /// Returns the identifier of the time zone of the system: that of `TZ` if it is set, or else that of `/etc/localtime`.
  ///
  /// A rule such as `EST5EDT4` in `TZ` is returned as it is. Foundation keeps the time zone that it has found first, and
  /// a daemon outlives it.
  package static func identifier(
    environment: String? = environment, localtime: String = path
  ) -> String? {
    guard let environment, !environment.isEmpty else {
      return resolved(localtime).flatMap(identifier(ofFile:))
    }
    let name = environment.hasPrefix(":") ? String(environment.dropFirst()) : environment
    return identifier(ofFile: name) ?? name
  }

  /// The identifier in the path of a file of the time zone database; `nil` if it has none.
  static func identifier(ofFile path: String) -> String? {
    guard let range = path.firstRange(of: "zoneinfo/") else { return nil }
    var name = path[range.upperBound...]
    // The database has variants with and without leap seconds.
    for variant in ["posix/", "right/"] where name.hasPrefix(variant) { name = name.dropFirst(variant.count) }
    return String(name)
  }

  static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
