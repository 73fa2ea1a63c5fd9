import FoundationEssentials
import FoundationInternationalization
import Glibc

extension TimeZone {
  /// Returns the time zone of the system: `TZ` if it names one, or else that of `/etc/localtime`.
  ///
  /// `TimeZone.current` keeps the time zone that it has found first, and a daemon outlives it.
  static func ofSystem(
    environment: String? = SystemTimeZone.environment, localtime: String = SystemTimeZone.path
  ) -> TimeZone {
    if let environment, !environment.isEmpty {
      let name = environment.hasPrefix(":") ? String(environment.dropFirst()) : environment
      // A rule such as `EST5EDT4` is read by Foundation, if at all.
      return TimeZone(identifier: SystemTimeZone.identifier(ofFile: name) ?? name) ?? .current
    }
    return SystemTimeZone.resolved(localtime).flatMap(SystemTimeZone.identifier).flatMap(
      TimeZone.init(identifier:)) ?? .current
  }
}

/// Where the system keeps its time zone.
enum SystemTimeZone {
  /// The link to the data of the time zone.
  static let path = "/etc/localtime"

  /// The value of `TZ`; `nil` if it is not set.
  static var environment: String? { unsafe getenv("TZ").map { unsafe String(cString: $0) } }

  /// The identifier in the path of a file of the time zone database; `nil` if it has none.
  static func identifier(ofFile path: String) -> String? {
    guard let range = path.firstRange(of: "zoneinfo/") else { return nil }
    var name = path[range.upperBound...]
    // The database has variants with and without leap seconds.
    for variant in ["posix/", "right/"] where name.hasPrefix(variant) { name = name.dropFirst(variant.count) }
    return String(name)
  }

  /// The path of a file without links; `nil` if it is not there.
  static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
