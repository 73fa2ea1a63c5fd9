public import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The reason why a sequence file cannot be used.
public struct SequenceFileError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The problem, without its position.
  public let problem: String
  /// The accepted notation; `nil` if the problem is enough.
  public let remedy: String?
  /// The position of the problem; `nil` if it concerns the whole file.
  public let position: FilePosition?
  /// Whether reading the file failed, rather than parsing it.
  public let isUnreadable: Bool

  /// The kind of problem with a file.
  enum Kind {
    /// The file could not be read.
    case unreadable(String, remedy: String? = nil)
    /// The file was read, but is not a sequence.
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

  /// The position, the problem and the remedy in one line.
  public var description: String {
    let text = remedy.map { "\(problem); \($0)" } ?? problem
    return position.map { "\($0.line):\($0.column): \(text)" } ?? text
  }

  /// Returns the file, the position, the problem and the remedy in one line.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func message(inFile name: String) -> String {
    remedy.map { "\(problem(inFile: name)); \($0)" } ?? problem(inFile: name)
  }

  /// Returns the file, the position and the problem in one line.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func problem(inFile name: String) -> String {
    guard let position else { return "\(name): \(problem)" }
    return "\(name):\(position.line):\(position.column): \(problem)"
  }
}
