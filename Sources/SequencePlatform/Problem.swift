/// A problem in words, and its remedy.
///
/// The two texts are joined only when they are printed. Both are parts of a sentence: they begin in lower case and end
/// without a full stop. It is thrown itself if nothing in the program depends on which problem it is; an error that code
/// tells apart is a type of its own, and an ``ExplainedError``.
public struct Problem: ExplainedError, Codable, Equatable, Sendable {
  /// The problem, with the values that cause it.
  public let text: String
  /// The remedy; `nil` if there is nothing to recommend.
  public let remedy: String?

  /// Creates a problem from its two texts.
  public init(_ text: String, remedy: String? = nil) {
    self.text = text
    self.remedy = remedy
  }

  /// The problem itself.
  public var problem: Problem { self }
  /// The text and the remedy in one line.
  public var description: String { remedy.map { "\(text); \($0)" } ?? text }
}

/// An error that can be shown to a user.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// The error in words, with its remedy.
  var problem: Problem { get }
}

extension ExplainedError {
  /// The problem and the remedy in one line.
  public var description: String { problem.description }
}
