import SequenceFiles
import SequenceRunner

enum MessageRule {
  /// Checks that a message is one line of reasonable length without terminal control characters.
  static func check(_ message: String) throws {
    try require(!message.isEmpty, "a message is empty")
    try require(
      message.unicodeScalars.count <= 1000, "a message has \(message.unicodeScalars.count) characters")
    let control = message.unicodeScalars.first { scalar in
      scalar.properties.generalCategory == .control || (0x2028...0x202E).contains(scalar.value)
        || (0x2066...0x2069).contains(scalar.value)
    }
    try require(control == nil, "a message has the control character \(control?.value ?? 0): \(message)")
  }

  /// Checks that a rejected file is rejected at a position within it, or as a whole.
  static func check(_ error: SequenceFileError, of bytes: [UInt8]) throws {
    try check(error.message(inFile: "file"))
    try require(!error.isUnreadable, "bytes in memory cannot be read: \(error.problem.text)")
    guard let position = error.position else {
      return try require(
        bytes.count > SequenceLimits.largestFile, "\(error.problem.text) is nowhere in the file")
    }
    try check(position, in: bytes)
  }

  /// Checks that a position is on a character, or just past the end of a line.
  static func check(_ position: FilePosition, in bytes: [UInt8]) throws {
    // In bytes that are not text, each byte may count as a character.
    let isText = String(validating: bytes, as: UTF8.self) != nil
    let scalars =
      isText ? Array(String(decoding: bytes, as: UTF8.self).unicodeScalars) : bytes.map { .init($0) }
    let lines = scalars.split(omittingEmptySubsequences: false) { $0 == "\n" }.map(\.count)
    // YAML has more line breaks than editors; CR LF is one line break.
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    let yamlLines = String(text).split(omittingEmptySubsequences: false) { $0.isNewline }
      .map(\.unicodeScalars.count)
    let isInside = [lines, yamlLines].contains { lines in
      (1...lines.count).contains(position.line)
        && (1...lines[position.line - 1] + 1).contains(position.column)
    }
    try require(isInside, "there is no line \(position.line) with a column \(position.column)")
  }
}
