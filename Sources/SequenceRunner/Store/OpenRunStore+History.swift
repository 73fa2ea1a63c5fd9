package import FoundationEssentials
package import SequencePlatform
import SequenceStore

extension OpenRunStore {
  /// Returns the figures of the ended runs, newest first; reads no snapshot.
  ///
  /// - Parameter since: the earliest end of a run.
  /// - Throws: `StoreError`.
  /// - Complexity: O(runs).
  package func historySummaries(since: Moment = Moment(microseconds: .min)) throws(StoreError)
    -> [EndedRunSummary]
  {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.historySummaries(since: since) }
  }

  /// Returns the ids of ended runs that begin with a text of hexadecimal digits and hyphens.
  ///
  /// - Throws: `StoreError`.
  package func endedRunIDs(beginningWith text: String) throws(StoreError) -> [UUID] {
    _ = try settle()
    return try repairing { () throws(StoreError) in try database.endedRunIDs(beginningWith: text.uppercased())
    }
  }
}
