import NotifierDelivery
import SequenceRunner

extension Courier {
  /// Settles the runs, as a turn of the loop does first, and returns the next order.
  func advance(settling store: OpenRunStore) throws -> DesktopOrder? {
    try advance(at: store.settle().reading)
  }
}
