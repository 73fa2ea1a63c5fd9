import Foundation
import Synchronization
import Testing

/// The time zone of a machine, which a test sets.
final class SystemZone: Sendable {
  private let zone = Mutex(TimeZone(identifier: "Europe/Berlin") ?? .gmt)

  /// Returns the time zone.
  var get: @Sendable () -> TimeZone { { self.zone.withLock { $0 } } }

  func set(_ name: String) throws {
    let new = try #require(TimeZone(identifier: name))
    zone.withLock { $0 = new }
  }
}
