import CSequenceYAML

struct YAMLEvent {
  let kind: Kind
  let position: FilePosition
  /// The bytes of the event; libyaml's end of a block is the beginning of what follows it.
  var range = 0..<0
  var form = Form.block
  var anchor: String?
  var tag: String?

  enum Form: Sendable {
    /// A list or a mapping with a line for each part, or a text with lines of its own (`|` and `>`).
    case block
    /// In brackets, braces or quotes.
    case enclosed
    case plain
  }

  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd, listStart, listEnd, mappingStart, mappingEnd
    case scalar(String)
    case alias(String)
  }
}

@safe struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The number of characters in the text.
  private let length: Int
  /// The character of the last mark, and its byte; marks come in order.
  private var last = (character: 0, byte: 0)
  /// Split when a position behind the text is first reported.
  private lazy var lines = unsafe SourceLines(bytes)

  /// Starts to parse bytes, which must be valid UTF-8.
  init(_ text: [UInt8]) throws(SequenceFileError) {
    // The parser keeps pointers to both as long as it exists.
    unsafe parser = .allocate(capacity: 1)
    unsafe bytes = .allocate(capacity: text.count)
    _ = unsafe bytes.initialize(from: text)
    length = text.count { $0 & 0xC0 != 0x80 }
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      unsafe bytes.deallocate()
      throw SequenceFileError(.unreadable("cannot be read: out of memory"), at: nil)
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe bytes.deallocate()
  }

  /// Returns the next event; must not be called after the end of the stream.
  mutating func next() throws(SequenceFileError) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { unsafe yaml_event_delete(&event) }
    var next = unsafe unplaced(event)
    let start = unsafe offset(of: event.start_mark)
    next.range = unsafe start..<max(start, offset(of: event.end_mark))
    return next
  }

  /// Returns the byte of a mark, which counts characters.
  private mutating func offset(of mark: yaml_mark_t) -> Int {
    let character = min(mark.index, length)
    guard unsafe length < bytes.count else { return character }
    while last.character != character {
      let step = last.character < character ? 1 : -1
      repeat { last.byte += step } while unsafe last.byte < bytes.count && bytes[last.byte] & 0xC0 == 0x80
      last.character += step
    }
    return last.byte
  }

  private mutating func unplaced(_ event: yaml_event_t) -> YAMLEvent {
    let position = unsafe place(event.start_mark)
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, position: position)
    case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, position: position)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, position: position)
    case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .listEnd, position: position)
    case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, position: position)
    case YAML_ALIAS_EVENT:
      return unsafe YAMLEvent(kind: .alias(text(event.data.alias.anchor) ?? ""), position: position)
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let value = unsafe String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let form: YAMLEvent.Form =
        switch unsafe scalar.style {
        case YAML_PLAIN_SCALAR_STYLE: .plain
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .enclosed
        }
      return unsafe YAMLEvent(
        kind: .scalar(value), position: position, form: form, anchor: text(scalar.anchor),
        tag: text(scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return unsafe YAMLEvent(
        kind: .listStart, position: position,
        form: start.style == YAML_FLOW_SEQUENCE_STYLE ? .enclosed : .block, anchor: text(start.anchor),
        tag: text(start.tag))
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return unsafe YAMLEvent(
        kind: .mappingStart, position: position,
        form: start.style == YAML_FLOW_MAPPING_STYLE ? .enclosed : .block, anchor: text(start.anchor),
        tag: text(start.tag))
    default: return YAMLEvent(kind: .streamEnd, position: position)
    }
  }

  /// Returns the position of a mark, limited to the text.
  ///
  /// libyaml adds a line break to a text without one at its end, and reports events and errors behind it.
  private mutating func place(_ mark: yaml_mark_t) -> FilePosition {
    let position = FilePosition(mark)
    guard mark.index >= length, mark.column == 0, unsafe bytes.last != UInt8(ascii: "\n") else {
      return position
    }
    return lines.nearest(to: position)
  }

  private func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe bytes.map { unsafe String(cString: $0) }
  }

  private mutating func failure() -> SequenceFileError {
    guard unsafe parser.pointee.error != YAML_MEMORY_ERROR else {
      return SequenceFileError(.unreadable("cannot be read: out of memory"), at: nil)
    }
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it is not YAML"
    guard unsafe parser.pointee.error != YAML_READER_ERROR else {
      // A character that is invalid in YAML has an offset but no mark.
      let before = unsafe SourceLines(
        UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes).prefix(parser.pointee.problem_offset)))
      return SequenceFileError(.wrong("this is not YAML: \(problem)"), at: before.end)
    }
    let position = unsafe place(parser.pointee.problem_mark)
    guard !lines.isIndentedByTab(at: position) else {
      return SequenceFileError(.wrong("tabs cannot indent", remedy: "use spaces"), at: position)
    }
    return SequenceFileError(
      .wrong("this is not YAML: \(problem)", remedy: YAMLEvents.remedies[problem]), at: position)
  }

  /// The remedies for frequent mistakes, by libyaml's words for them (`scanner.c`, `parser.c`).
  private static let remedies: [String: LocalizedText] = [
    "mapping values are not allowed in this context":
      LocalizedText(#"indent keys that belong together alike, or put a text with ": " in it in quotes"#),
    "did not find expected ',' or '}'":
      LocalizedText(#"write a comma between keys, close the brace, or put a text with ": " in it in quotes"#),
    "did not find expected ',' or ']'": LocalizedText("write a comma between entries, or close the bracket"),
    "could not find expected ':'": LocalizedText(
      "write a colon and a space after the key, or put the text in quotes"),
    "did not find expected key": LocalizedText(
      "check the quotes, and indent keys that belong together alike"),
    "did not find expected '-' indicator": LocalizedText(
      #"begin each entry of a list with "- ", and indent them alike"#),
    "found unexpected end of stream": LocalizedText("close the quotes"),
    "found character that cannot start any token": LocalizedText("put the text in quotes"),
  ]
}

extension FilePosition {
  /// Converts a mark, which counts from 0.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}

/// The lines of a text, for positions in messages.
struct SourceLines {
  private let lines: [Substring]

  init(_ bytes: some Collection<UInt8>) {
    lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  var end: FilePosition {
    FilePosition(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
  }

  func nearest(to position: FilePosition) -> FilePosition {
    position.line <= lines.count ? position : end
  }

  func isIndentedByTab(at position: FilePosition) -> Bool {
    let line = lines[position.line - 1].unicodeScalars
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    return indentation.contains("\t") || line.dropFirst(position.column - 1).first == "\t"
  }
}
