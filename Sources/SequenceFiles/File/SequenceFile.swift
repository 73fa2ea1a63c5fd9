import Glibc
import Platform
public import SequenceRunner

/// A sequence that was read, and what its author should know of it.
public struct ParsedSequence: Equatable, Sendable {
  /// The sequence, flattened.
  public let timeline: Timeline
  /// What was read otherwise than it is written.
  public let remarks: [Remark]

  /// A sequence that was read.
  package init(timeline: Timeline, remarks: [Remark]) {
    self.timeline = timeline
    self.remarks = remarks
  }

  /// The sequence.
  public var definition: SequenceDefinition { timeline.definition }

  /// Something that was read otherwise than it is written.
  public struct Remark: Hashable, Sendable {
    /// Where it is written.
    public let position: FilePosition
    /// How it was read, and why.
    public let text: String
  }

  /// Two are equal if their sequences and remarks are.
  public static func == (left: ParsedSequence, right: ParsedSequence) -> Bool {
    left.definition == right.definition && left.remarks == right.remarks
  }
}

/// Sequence files: YAML, or the JSON that is YAML too.
public enum SequenceFile {
  /// Reads a sequence from a file.
  ///
  /// - Parameter path: where it is; `-` is standard input.
  /// - Throws: `SequenceFileError`.
  public static func read(path: String) throws(SequenceFileError) -> ParsedSequence {
    try parse(try bytes(ofFileAt: path))
  }

  /// Reads a sequence from the bytes of a file.
  ///
  /// - Throws: `SequenceFileError`, which says where the first mistake is.
  /// - Complexity: O(bytes + steps).
  public static func parse(_ bytes: [UInt8]) throws(SequenceFileError) -> ParsedSequence {
    guard let root = try root(of: bytes) else {
      throw SequenceFileError(
        .wrong("the file is empty", remedy: "it needs a title and cards"),
        at: FilePosition(line: 1, column: 1))
    }
    var builder = SequenceBuilder()
    return try builder.sequence(root)
  }

  /// The root of a regular file that is written as sequence files are; `nil` if nothing is written in it.
  ///
  /// A pipe, which would have to be waited for, is refused.
  package static func root(ofFileAt path: String) throws(SequenceFileError) -> YAMLNode? {
    guard FileKind(of: path) != .special else {
      throw SequenceFileError(.unreadable("it cannot be read: it is not a regular file"), at: nil)
    }
    return try root(of: try bytes(ofFileAt: path))
  }

  /// The root of bytes that are written as sequence files are; `nil` if nothing is written in them.
  package static func root(of bytes: [UInt8]) throws(SequenceFileError) -> YAMLNode? {
    guard bytes.count <= SequenceLimits.largestFile else {
      throw SequenceFileError(
        .wrong("the file has more than 1 MiB", remedy: "nothing needs that much"), at: nil)
    }
    let text = SourceText.withoutByteOrderMark(bytes)
    try SourceText.check(text)
    return try YAMLReader.root(of: JSONEscapes.replaced(in: text))
  }

  /// The bytes of a file, and not more than one past what a file may have.
  private static func bytes(ofFileAt path: String) throws(SequenceFileError) -> [UInt8] {
    do throws(SystemError) {
      return try readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
    } catch {
      // Swift has replaced each byte of the name that is not UTF-8.
      let isMisread = error.code == ENOENT && path.contains("\u{FFFD}")
      throw SequenceFileError(
        isMisread
          ? .unreadable("it cannot be read: its name is not UTF-8", remedy: "rename it")
          : .unreadable("it cannot be read: \(error.reason)"), at: nil)
    }
  }
}

/// What every sequence file has to be before it can be YAML: text in UTF-8.
enum SourceText {
  /// The bytes of a text without the mark that some editors begin it with.
  ///
  /// libyaml, told that a text is UTF-8, would count the mark as a column: the keys of the first line would then be
  /// indented deeper than those of the others. The mark has no place in a message either.
  static func withoutByteOrderMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Refuses bytes that are not text.
  static func check(_ bytes: [UInt8]) throws(SequenceFileError) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw SequenceFileError(
        .wrong("this is UTF-16", remedy: "save the file as UTF-8"), at: FilePosition(line: 1, column: 1))
    }
    guard String(validating: bytes, as: UTF8.self) == nil || bytes.contains(where: isControl) else { return }
    var (line, column) = (1, 1)
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    decoding: while true {
      let position = FilePosition(line: line, column: column)
      switch decoder.decode(&iterator) {
      case .emptyInput: break decoding
      case .error:
        throw SequenceFileError(.wrong("this is not UTF-8", remedy: "save the file as UTF-8"), at: position)
      case .scalarValue(let scalar):
        if scalar.isASCII, isControl(UInt8(scalar.value)) {
          throw SequenceFileError(
            .wrong("a control character is not text", remedy: "this may be a binary file"), at: position)
        }
        (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
      }
    }
  }

  /// Whether a byte is a control character that has no place in a text.
  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\t")
      || byte == 0x7F
  }
}
