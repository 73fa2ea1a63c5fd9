public import FoundationEssentials
import Glibc
public import SequencePlatform
// One import of the library is enough.
@_exported public import SequenceRunner
import SequenceStore

/// A sequence file, in YAML or JSON, as it was read: its steps, with remarks for its author.
public struct SequenceFile: Equatable, Sendable {
  /// The steps of the sequence.
  public let timeline: Timeline
  package let remarks: [Remark]

  package init(timeline: Timeline, remarks: [Remark]) {
    self.timeline = timeline
    self.remarks = remarks
  }

  /// The sequence.
  public var definition: SequenceDefinition { timeline.definition }

  /// Returns the values that were not used as written, each with the value that is used instead and the reason.
  ///
  /// - Parameter name: the name of the file as the user gave it.
  public func remarks(inFile name: String) -> [Problem] { remarks.map { $0.problem(inFile: name) } }

  /// A value that was not used as written.
  package struct Remark: Hashable, Sendable {
    package let position: FilePosition
    /// The value that is used instead, and the reason.
    package let text: LocalizedText
    /// Whether it is about a sound, which matters only to runs with sounds.
    package let isOfSound: Bool

    init(position: FilePosition, text: LocalizedText, isOfSound: Bool = false) {
      (self.position, self.text, self.isOfSound) = (position, text, isOfSound)
    }

    package func problem(inFile name: String) -> Problem {
      Problem("\(name):\(position.line):\(position.column): \(text)")
    }
  }

  /// Compares the sequences and the remarks.
  public static func == (left: SequenceFile, right: SequenceFile) -> Bool {
    left.definition == right.definition && left.remarks == right.remarks
  }
}

extension SequenceFile {
  /// Reads a sequence from a file.
  ///
  /// - Parameter path: the path of the file; `-` is standard input.
  /// - Throws: `SequenceFileError`.
  public static func read(path: String) throws(SequenceFileError) -> SequenceFile {
    let place = path == "-" ? nil : absolutePath(path)
    let folder = place.flatMap { place in place.unicodeScalars.lastIndex(of: "/").map { String(place[..<$0]) }
    }
    return try parse(
      try bytes(ofFileAt: path), inAbsolute: folder ?? FileManager.default.currentDirectoryPath)
  }

  /// Parses a sequence from the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - folder: the folder that the paths of sounds are relative to; `nil` for the working directory.
  /// - Throws: `SequenceFileError` with the position of the first mistake.
  /// - Complexity: O(bytes + cards), with all aliases written out.
  public static func parse(
    _ bytes: [UInt8], in folder: String? = nil
  ) throws(SequenceFileError) -> SequenceFile {
    try parse(bytes, inAbsolute: folder.map(absolutePath) ?? FileManager.default.currentDirectoryPath)
  }

  /// - Parameter folder: the absolute path of the folder of relative paths; empty for the root.
  private static func parse(
    _ bytes: [UInt8], inAbsolute folder: String
  ) throws(SequenceFileError) -> SequenceFile {
    guard let root = try root(of: bytes) else {
      throw SequenceFileError(
        .wrong("the file is empty", remedy: "write a title and cards"),
        at: FilePosition(line: 1, column: 1))
    }
    var builder = SequenceBuilder(folder: folder)
    return try builder.sequence(root)
  }

  /// Reads the root node of a regular file; `nil` if the file is empty.
  ///
  /// Refuses a pipe, because reading it could block.
  package static func root(ofFileAt path: String) throws(SequenceFileError) -> YAMLNode? {
    try requireRegular(path)
    return try root(of: try bytes(ofFileAt: path))
  }

  /// Refuses a pipe, a socket or a device, because reading it could block.
  package static func requireRegular(_ path: String) throws(SequenceFileError) {
    guard FileKind(of: path) != .special else {
      throw SequenceFileError(.unreadable("cannot be read: not a regular file"), at: nil)
    }
  }

  /// Parses the root node of bytes; `nil` if they contain no node.
  package static func root(of bytes: [UInt8]) throws(SequenceFileError) -> YAMLNode? {
    guard bytes.count <= SequenceLimits.largestFile else {
      throw SequenceFileError(
        .wrong("the file is larger than 1 MiB", remedy: "shorten it"), at: nil)
    }
    let text = SourceText.withoutByteOrderMark(bytes)
    try SourceText.check(text)
    return try YAMLReader.root(of: text)
  }

  /// Reads a file; at most one byte more than `SequenceLimits.largestFile`.
  package static func bytes(ofFileAt path: String) throws(SequenceFileError) -> [UInt8] {
    do throws(SystemError) {
      return try readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
    } catch {
      // Swift has replaced each byte of the name that is not UTF-8.
      let isMisread = error.code == ENOENT && path.contains("\u{FFFD}")
      throw SequenceFileError(
        isMisread
          ? .unreadable("cannot be read: its name is not UTF-8", remedy: "rename it")
          : .unreadable("cannot be read: \(error.reason)"), at: nil)
    }
  }
}

/// The checks before a file is parsed as YAML: it must be text in UTF-8.
enum SourceText {
  /// Returns the bytes without a byte order mark, which some editors write.
  ///
  /// When libyaml is set to UTF-8, it counts the mark as a column, so the keys of the first line would be
  /// indented deeper than the others. Messages must not contain the mark either.
  static func withoutByteOrderMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

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
            .wrong("control characters are not allowed", remedy: "check that this is a text file"),
            at: position)
        }
        (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
      }
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\t")
      || byte == 0x7F
  }
}

/// The reason why a sequence file cannot be used.
public struct SequenceFileError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The problem, without its position, and the accepted notation.
  public let problem: Problem
  package let position: FilePosition?
  /// The line of the problem, from 1; `nil` if it concerns the whole file.
  public var line: Int? { position?.line }
  /// The column of the problem, in characters from 1; `nil` if it concerns the whole file.
  public var column: Int? { position?.column }
  /// Whether reading the file failed, rather than parsing it.
  public let isUnreadable: Bool

  enum Kind {
    case unreadable(LocalizedText, remedy: LocalizedText? = nil)
    /// The file was read, but is not a sequence.
    case wrong(LocalizedText, remedy: LocalizedText? = nil)
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
