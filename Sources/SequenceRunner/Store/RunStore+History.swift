package import FoundationEssentials
package import Platform
import Store

extension RunStore {
  /// Goes through the runs that are over, newest first, without holding more than one of them.
  ///
  /// - Parameters:
  ///   - since: leaves out runs that ended before.
  ///   - initial: what the first run is added to; it begins anew where the store turns out to be damaged half-way.
  /// - Throws: `StoreError`.
  /// - Complexity: O(size of the store), as `history(since:)`.
  package func foldHistory<Result>(
    since: Moment, into initial: Result, _ add: (inout Result, EndedRun) -> Void
  ) throws -> Result {
    _ = try look()
    return try repairing {
      try database.checkIntegrity()
      var result = initial
      try database.forEachEndedRun(since: since) { add(&result, $0) }
      return result
    }
  }

  /// The ids of the runs that are over and whose ids begin with a text of hexadecimal digits and hyphens.
  ///
  /// - Throws: `StoreError`.
  package func endedRunIDs(beginningWith text: String) throws -> [UUID] {
    _ = try look()
    return try repairing { try database.endedRunIDs(beginningWith: text.uppercased()) }
  }
}
