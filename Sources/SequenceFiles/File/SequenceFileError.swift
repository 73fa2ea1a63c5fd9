import Platform

/// Why a sequence file cannot be used.
public struct SequenceFileError: ExplainedError, Equatable, Sendable {
  /// The problem, without its place.
  public let problem: String
  /// What would be right; `nil` if the problem says it.
  public let remedy: String?
  /// The place of the problem; `nil` if it has none in the text.
  public let position: FilePosition?
  /// Whether the file could not be read, in contrast to being wrong.
  public let isUnreadable: Bool

  /// What is wrong with a file.
  enum Kind {
    /// It could not be read.
    case unreadable(String, remedy: String? = nil)
    /// It was read, and is not a sequence.
    case wrong(String, remedy: String? = nil)
  }

  init(_ kind: Kind, at position: FilePosition?) {
    switch kind {
    case .unreadable(let problem, let remedy):
      (self.problem, self.remedy, isUnreadable) = (problem, remedy, true)
    case .wrong(let problem, let remedy): (self.problem, self.remedy, isUnreadable) = (problem, remedy, false)
    }
    self.position = position
  }

  /// The place, the problem and the remedy in one line.
  public var description: String {
    let text = remedy.map { "\(problem); \($0)" } ?? problem
    return position.map { "\($0.line):\($0.column): \(text)" } ?? text
  }

  /// One line that names the file, the place, the problem and the remedy.
  ///
  /// - Parameter name: how the user named the file.
  public func message(inFile name: String) -> String {
    remedy.map { "\(problem(inFile: name)); \($0)" } ?? problem(inFile: name)
  }

  /// The file, the place and the problem.
  ///
  /// - Parameter name: how the user named the file.
  public func problem(inFile name: String) -> String {
    guard let position else { return "\(name): \(problem)" }
    return "\(name):\(position.line):\(position.column): \(problem)"
  }
}
