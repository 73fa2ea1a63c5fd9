public import FoundationEssentials
import SequencePlatform
import SequenceStore

/// The reason why a sequence file cannot be used.
public struct SequenceFileError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The problem, without its position, and the accepted notation.
  public let problem: Problem
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
    case .unreadable(let text, let remedy):
      (problem, isUnreadable) = (Problem(text, remedy: remedy), true)
    case .wrong(let text, let remedy): (problem, isUnreadable) = (Problem(text, remedy: remedy), false)
    }
    self.position = position
  }

  /// The position, the problem and the remedy in one line.
  public var description: String {
    position.map { "\($0.line):\($0.column): \(problem)" } ?? "\(problem)"
  }

  /// Returns the problem with the file and the position in front of it.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func problem(inFile name: String) -> Problem {
    let place = position.map { "\(name):\($0.line):\($0.column)" } ?? name
    return Problem("\(place): \(problem.text)", remedy: problem.remedy)
  }

  /// Returns the file, the position, the problem and the remedy in one line.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func message(inFile name: String) -> String { problem(inFile: name).description }
}
