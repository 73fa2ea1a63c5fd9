import Foundation
import NotifierLedger
import SequencePlatform
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

extension Tool {
  /// Waits for a condition, which is checked after each change of the store.
  func wait(until holds: () throws -> Bool) throws {
    let clock = try SystemClock()
    let waiter = try StoreWaiter(
      RunStore(in: StateDirectory(path: state), clock: clock, parts: [], observers: []).base)
    let deadline = clock.now().boot + .seconds(40 * patience)
    while try !holds() {
      guard clock.now().boot < deadline else {
        throw TestSupportError("it does not come to that: \(try told())")
      }
      try waiter.wait(until: deadline)
    }
  }

  /// Returns the process id of an agent, once one has reported that is not the old one.
  func waitForAgent(otherThan old: pid_t? = nil) throws -> pid_t {
    var found: pid_t?
    try wait {
      found = try agent()
      return found != nil && found != old
    }
    return try #require(found)
  }

  /// Returns the notifications sorted by time: each with state, summary and reason.
  func told() throws -> [String] {
    let entries = try json("notifications", "list")["notifications"] as? [[String: Any]] ?? []
    return entries.map { entry in
      ["state", "summary", "reason"].compactMap { entry[$0] as? String }.joined(separator: ": ")
    }
  }

  func status(_ field: String) throws -> String { try succeed("status", "--format", "{\(field)}") }
}
