package import Foundation
import Synchronization

/// The time zone of a machine, which a test sets.
package final class SystemZone: Sendable {
  private let zone = Mutex(TimeZone(identifier: "Europe/Berlin") ?? .gmt)

  package init() {}

  /// Returns the time zone.
  package var get: @Sendable () -> TimeZone { { self.zone.withLock { $0 } } }

  /// Sets the time zone.
  package func set(_ zone: TimeZone) { self.zone.withLock { $0 = zone } }
}
