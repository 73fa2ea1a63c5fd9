package import FoundationEssentials
package import Platform
import Store

extension RunStore {
  /// The figures of the runs that are over, newest first; no snapshot is read for them.
  ///
  /// - Parameter since: leaves out runs that ended before.
  /// - Throws: `StoreError`.
  /// - Complexity: O(runs).
  package func historySummaries(since: Moment = Moment(microseconds: .min)) throws -> [EndedRunSummary] {
    _ = try settle()
    return try repairing { try database.historySummaries(since: since) }
  }

  /// The ids of the runs that are over and whose ids begin with a text of hexadecimal digits and hyphens.
  ///
  /// - Throws: `StoreError`.
  package func endedRunIDs(beginningWith text: String) throws -> [UUID] {
    _ = try settle()
    return try repairing { try database.endedRunIDs(beginningWith: text.uppercased()) }
  }
}
