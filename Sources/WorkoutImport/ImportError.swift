import Platform
import SequenceRunner

/// Why a file cannot be imported.
public struct ImportError: Error, Equatable, Sendable {
  /// What is wrong, and what would be right.
  public let text: String
  /// The line that it is in, from 1; `nil` if it is in none.
  public let line: Int?

  init(_ text: String, line: Int? = nil) {
    self.text = text
    self.line = line
  }

  /// What a library says of the text, which may be in what it says.
  init(_ what: String, because reason: String, line: Int? = nil) {
    self.init("\(what): \(TextSafety.sanitised(String(reason.unicodeScalars.prefix(300))))", line: line)
  }

  /// One line that names the file, the place and what is wrong.
  ///
  /// - Parameter name: how the user named the file.
  public func message(inFile name: String) -> String {
    line.map { "\(name):\($0): \(text)" } ?? "\(name): \(text)"
  }
}
