import Foundation
import NotificationLedger
import Platform
import SequenceRunner
import Store
import TestSupport

extension Tool {
  /// Waits until something holds, which is looked at whenever the store has changed.
  func wait(until holds: () throws -> Bool) throws {
    let clock = try SystemClock()
    let waiter = try StoreWaiter(RunStore(directory: StateDirectory(path: state), clock: clock).base)
    let deadline = clock.now().boot + .seconds(10 * patience)
    while try !holds() {
      guard clock.now().boot < deadline else {
        throw TestSupportError("it does not come to that: \(try told())")
      }
      try waiter.wait(until: deadline)
    }
  }

  /// The notifications in the order of their times: each with its state, its summary and the reason.
  func told() throws -> [String] {
    let entries = try json("notifications", "list")["notifications"] as? [[String: Any]] ?? []
    return entries.map { entry in
      ["state", "summary", "reason"].compactMap { entry[$0] as? String }.joined(separator: ": ")
    }
  }

  /// What a field of the status says.
  func status(_ field: String) throws -> String { try succeed("status", "--format", "{\(field)}") }
}
