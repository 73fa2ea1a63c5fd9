package import FoundationEssentials
package import SequencePlatform
import SequenceStore

extension OpenRunStore {
  /// Reads no snapshot.
  ///
  /// - Complexity: O(runs).
  package func historySummaries(since: Moment = Moment(microseconds: .min)) throws(StoreError)
    -> [EndedRunSummary]
  {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.historySummaries(since: since) }
  }

  /// - Parameter text: hexadecimal digits and hyphens.
  package func endedRunIDs(beginningWith text: String) throws(StoreError) -> [UUID] {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRunIDs(beginningWith: text.uppercased())
    }
  }
}
