public import FoundationEssentials
public import SequencePlatform

/// Errors have their sentence in Foundation's `localizedDescription` too.
extension LocalizedError where Self: ExplainedError {
  /// The problem and the remedy in one line.
  public var errorDescription: String? { description }
}

extension Problem: LocalizedError {}
extension StoreError: LocalizedError {}
extension SystemError: LocalizedError {}
