public import SequencePlatform
import SequenceRunner

/// The reason why a file cannot be imported.
public struct ImportError: ExplainedError, Equatable, Sendable {
  /// The problem, without its position.
  public let problem: String
  /// The alternative; `nil` if the problem is enough.
  public let remedy: String?
  /// The line of the problem, from 1; `nil` if it concerns no single line.
  public let line: Int?

  init(_ problem: String, remedy: String? = nil, line: Int? = nil) {
    self.problem = problem
    self.remedy = remedy
    self.line = line
  }

  /// Creates an error from a library's message, which may quote the file.
  init(_ what: String, because reason: String, line: Int? = nil) {
    self.init("\(what): \(TextSafety.sanitised(String(reason.unicodeScalars.prefix(300))))", line: line)
  }

  /// The line number, the problem and the remedy in one line.
  public var description: String {
    let text = remedy.map { "\(problem); \($0)" } ?? problem
    return line.map { "\($0): \(text)" } ?? text
  }

  /// Returns the file, the line number, the problem and the remedy in one line.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func message(inFile name: String) -> String {
    remedy.map { "\(problem(inFile: name)); \($0)" } ?? problem(inFile: name)
  }

  /// Returns the file, the line number and the problem in one line.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func problem(inFile name: String) -> String {
    line.map { "\(name):\($0): \(problem)" } ?? "\(name): \(problem)"
  }
}
