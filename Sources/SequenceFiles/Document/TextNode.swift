/// A node of a YAML text with its place in the text.
struct TextNode: Sendable {
  let content: Content
  /// The bytes of the node; those of a block end with its last text.
  let range: Range<Int>
  let form: YAMLEvent.Form
  /// The name that aliases use; `nil` without one.
  let anchor: String?

  enum Content: Sendable {
    case scalar(String)
    case list([TextNode])
    case mapping([Entry])
    case alias(String)
  }

  /// A key with its value.
  struct Entry: Sendable {
    let key: String
    /// The bytes of the key.
    let keyRange: Range<Int>
    let value: TextNode
  }

  /// What it means.
  var value: YAMLValue {
    let value: YAMLValue =
      switch content {
      case .scalar(let text): .scalar(text)
      case .list(let nodes): .list(nodes.map(\.value))
      case .mapping(let entries): .mapping(entries.map { YAMLValue.Entry($0.key, $0.value.value) })
      case .alias(let name): .alias(name)
      }
    return anchor.map { .anchored($0, value) } ?? value
  }

  var elements: [TextNode] { if case .list(let nodes) = content { nodes } else { [] } }

  var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

  /// Whether it is a list or a mapping with lines of its own.
  var isBlock: Bool {
    switch content {
    case .list, .mapping: form == .block
    case .scalar, .alias: false
    }
  }
}

/// Reads the nodes of a text whose syntax was checked.
struct TextNodeReader: ~Copyable {
  private var events: YAMLEvents
  /// The place of each character in the bytes, and the end.
  private let offsets: [Int]
  private let bytes: [UInt8]
  /// Whether the parser reads another text, in which some strings are shorter.
  private let isConverted: Bool
  /// How many anchors there are with each name.
  private var anchorCounts: [String: Int] = [:]
  /// The anchors that aliases mean, by their names in the text.
  private var anchors: [String: String] = [:]

  /// The root; `nil` if the text has no node.
  ///
  /// The second anchor with a name gets another one, so that an edit can't change the meaning of an alias unnoticed.
  ///
  /// - Throws: `SequenceFileError`.
  static func root(of bytes: [UInt8]) throws(SequenceFileError) -> TextNode? {
    let parsed = JSONEscapes.replaced(in: bytes)
    var reader = TextNodeReader(bytes: bytes, parsed: parsed, events: try YAMLEvents(parsed))
    _ = try reader.events.next()
    guard case .documentStart = try reader.events.next().kind else { return nil }
    return try reader.node(try reader.events.next())
  }

  private init(bytes: [UInt8], parsed: [UInt8], events: consuming YAMLEvents) {
    self.bytes = bytes
    self.events = events
    isConverted = parsed != bytes
    offsets = parsed.indices.filter { parsed[$0] & 0xC0 != 0x80 } + [parsed.count]
  }

  private mutating func node(_ event: YAMLEvent) throws(SequenceFileError) -> TextNode {
    let anchor = event.anchor.map { name in
      anchorCounts[name, default: 0] += 1
      let count = anchorCounts[name, default: 1]
      // A name in a text has no space.
      return count == 1 ? name : "\(name) \(count)"
    }
    // An alias in the node would mean an earlier one.
    defer { if let name = event.anchor, let anchor { anchors[name] = anchor } }
    let own = offsets[event.characters.lowerBound]..<offsets[event.characters.upperBound]
    switch event.kind {
    case .scalar(let text):
      let end =
        switch event.form {
        case .block: end(of: own)
        case .enclosed: endOfQuotes(own)
        case .plain: own.upperBound
        }
      return TextNode(
        content: .scalar(text), range: own.lowerBound..<end, form: event.form, anchor: anchor)
    case .alias(let name):
      return TextNode(content: .alias(anchors[name] ?? name), range: own, form: .plain, anchor: nil)
    case .listStart:
      var nodes: [TextNode] = []
      var last = try events.next()
      while !last.isEnd {
        nodes.append(try node(last))
        last = try events.next()
      }
      return collection(.list(nodes), from: own, to: nodes.last?.range, event, last, anchor)
    case .mappingStart:
      var entries: [TextNode.Entry] = []
      var last = try events.next()
      while !last.isEnd {
        let key = try node(last)
        let name = if case .scalar(let text) = key.content { text } else { "" }
        entries.append(TextNode.Entry(key: name, keyRange: key.range, value: try node(try events.next())))
        last = try events.next()
      }
      return collection(.mapping(entries), from: own, to: entries.last?.value.range, event, last, anchor)
    case .listEnd, .mappingEnd, .documentStart, .documentEnd, .streamStart, .streamEnd:
      return TextNode(content: .scalar(""), range: own, form: .plain, anchor: nil)
    }
  }

  private func collection(
    _ content: TextNode.Content, from start: Range<Int>, to last: Range<Int>?, _ event: YAMLEvent,
    _ end: YAMLEvent, _ anchor: String?
  ) -> TextNode {
    // The end of a block lies at what follows it, behind comments.
    let upper =
      event.form == .block ? last?.upperBound ?? start.upperBound : offsets[end.characters.upperBound]
    return TextNode(
      content: content, range: start.lowerBound..<max(start.lowerBound, upper), form: event.form,
      anchor: anchor)
  }

  /// The end of a text in quotes, which is longer in the file if it has escapes that only JSON has.
  private func endOfQuotes(_ range: Range<Int>) -> Int {
    let quote = UInt8(ascii: "\"")
    guard isConverted, bytes[range.lowerBound] == quote else { return range.upperBound }
    var end = range.lowerBound + 1
    while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(end + 1, bytes.count)
  }

  /// The end of a text in lines of its own, whose range has the empty lines that follow it.
  private func end(of range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, [0x0A, 0x0D, 0x20].contains(bytes[end - 1]) { end -= 1 }
    return end
  }
}

extension YAMLEvent {
  fileprivate var isEnd: Bool {
    switch kind {
    case .listEnd, .mappingEnd: true
    default: false
    }
  }
}
