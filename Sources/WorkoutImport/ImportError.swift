public import Platform
import SequenceRunner

/// Why a file cannot be imported.
public struct ImportError: ExplainedError, Equatable, Sendable {
  /// The problem, without its place.
  public let problem: String
  /// What would be right; `nil` if the problem says it.
  public let remedy: String?
  /// The line that it is in, from 1; `nil` if it is in none.
  public let line: Int?

  init(_ problem: String, remedy: String? = nil, line: Int? = nil) {
    self.problem = problem
    self.remedy = remedy
    self.line = line
  }

  /// What a library says of the text, which may be in what it says.
  init(_ what: String, because reason: String, line: Int? = nil) {
    self.init("\(what): \(TextSafety.sanitised(String(reason.unicodeScalars.prefix(300))))", line: line)
  }

  /// The line, the problem and the remedy in one line.
  public var description: String {
    let text = remedy.map { "\(problem); \($0)" } ?? problem
    return line.map { "\($0): \(text)" } ?? text
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
    line.map { "\(name):\($0): \(problem)" } ?? "\(name): \(problem)"
  }
}
