/// An error that can be shown to a user: a problem and a remedy.
///
/// The two texts are joined only when they are printed. Both are parts of a sentence: they begin in lower case and end
/// without a full stop.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// The problem, with the values that cause it.
  var problem: String { get }
  /// The remedy; `nil` if there is nothing to recommend.
  var remedy: String? { get }
}

extension ExplainedError {
  /// No recommendation.
  public var remedy: String? { nil }

  /// The problem and the remedy in one line.
  public var description: String { remedy.map { "\(problem); \($0)" } ?? problem }
}
