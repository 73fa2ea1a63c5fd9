/// Why a sequence file cannot be used.
public struct SequenceFileError: Error, Equatable, Sendable {
  /// What is wrong, and what would be right.
  public let problem: Problem
  /// Where it is; `nil` if it is no place in the text.
  public let position: FilePosition?

  /// Whether the file could be read at all.
  public enum Problem: Hashable, Sendable {
    /// It could not be read.
    case unreadable(String)
    /// It was read, and is not a sequence.
    case wrong(String)
  }

  init(_ problem: Problem, at position: FilePosition?) {
    self.problem = problem
    self.position = position
  }

  /// Whether the file could not be read, in contrast to being wrong.
  public var isUnreadable: Bool {
    switch problem {
    case .unreadable: true
    case .wrong: false
    }
  }

  /// One line that names the file, the place, what was found, and what would be right.
  ///
  /// - Parameter name: how the user named the file.
  public func message(inFile name: String) -> String {
    let text =
      switch problem {
      case .unreadable(let text), .wrong(let text): text
      }
    guard let position else { return "\(name): \(text)" }
    return "\(name):\(position.line):\(position.column): \(text)"
  }
}
