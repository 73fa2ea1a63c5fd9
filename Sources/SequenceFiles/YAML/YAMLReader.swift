import CSequenceYAML
import SequencePlatform
import SequenceRunner

/// A parser of one YAML document into nodes, from libyaml's events.
struct YAMLReader: ~Copyable {
  /// The deepest nesting of nodes; a group takes three levels, so any valid sequence fits.
  ///
  /// The limit bounds the recursion, and the time that libyaml takes for deeply nested text.
  private static let deepestNesting = 3 * SequenceLimits.deepestNesting + 16

  private var events: YAMLEvents
  private let bytes: [UInt8]
  /// Whether the parser reads another text, in which some strings are shorter.
  private let isConverted: Bool
  /// The last node with each anchor.
  private var anchors: [String: YAMLNode] = [:]
  /// The anchors of nodes that are being parsed; an alias to one of them would contain itself.
  private var openAnchors: Set<String> = []
  private var anchorCounts: [String: Int] = [:]

  /// Parses the only document in some bytes, which must be valid UTF-8; `nil` if there is none.
  static func root(of bytes: [UInt8]) throws(SequenceFileError) -> YAMLNode? {
    var reader = try YAMLReader(bytes)
    return try reader.document()
  }

  private init(_ bytes: [UInt8]) throws(SequenceFileError) {
    let converted = JSONEscapes.replaced(in: bytes)
    self.bytes = bytes
    isConverted = converted != bytes
    events = try YAMLEvents(converted)
  }

  private mutating func document() throws(SequenceFileError) -> YAMLNode? {
    _ = try events.next()
    guard case .documentStart = try events.next().kind else { return nil }
    let root = try node(try events.next(), depth: 0)
    _ = try events.next()
    let end = try events.next()
    guard case .streamEnd = end.kind else {
      throw SequenceFileError(
        .wrong("a second document begins here", remedy: "use one file per sequence"), at: end.position)
    }
    return root
  }

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(SequenceFileError) -> YAMLNode {
    guard depth <= YAMLReader.deepestNesting else {
      throw SequenceFileError(
        .wrong(
          "this is nested too deeply", remedy: "use at most \(SequenceLimits.deepestNesting) levels of groups"
        ),
        at: event.position)
    }
    if let tag = event.tag {
      throw SequenceFileError(
        .wrong("the tag \(quoted(tag)) is not supported", remedy: "remove it"), at: event.position)
    }
    if case .alias(let name) = event.kind { return try repeated(name, event) }
    let anchor = event.anchor.map { opened($0) }
    let content: YAMLNode.Content
    let end: Int
    switch event.kind {
    case .scalar(let text): (content, end) = (.scalar(text), endOfScalar(text, event))
    case .listStart:
      let (nodes, last) = try list(depth: depth)
      content = .list(nodes)
      // libyaml's end of a block lies at what follows it, behind comments.
      end = event.form == .block ? nodes.last?.range.upperBound ?? event.range.upperBound : last
    case .mappingStart:
      let (entries, last) = try mapping(depth: depth)
      content = .mapping(entries)
      end = event.form == .block ? entries.last?.value.range.upperBound ?? event.range.upperBound : last
    case .alias, .listEnd, .mappingEnd, .documentStart, .documentEnd, .streamStart, .streamEnd:
      throw SequenceFileError(.wrong("a value is missing here"), at: event.position)
    }
    let start = event.range.lowerBound
    let node = YAMLNode(
      content, anchor: anchor,
      origin: .init(position: event.position, range: start..<max(start, end), form: event.form))
    if let name = event.anchor {
      openAnchors.remove(name)
      anchors[name] = node
    }
    return node
  }

  /// Notes an anchor whose node begins, and returns the name that the node gets.
  private mutating func opened(_ name: String) -> String {
    openAnchors.insert(name)
    let count = anchorCounts[name, default: 0] + 1
    anchorCounts[name] = count
    // A name in a text has no space.
    return count == 1 ? name : "\(name) \(count)"
  }

  private func repeated(_ name: String, _ event: YAMLEvent) throws(SequenceFileError) -> YAMLNode {
    guard !openAnchors.contains(name) else {
      throw SequenceFileError(.wrong("the alias \(quoted(name)) contains itself"), at: event.position)
    }
    guard let node = anchors[name] else {
      throw SequenceFileError(
        .wrong(
          "the alias \(quoted(name)) has no anchor",
          remedy: "define it above with &\(name.prefix(60))"
        ),
        at: event.position)
    }
    return YAMLNode(
      node.content, alias: node.anchor,
      origin: .init(position: node.position, range: event.range, form: .plain))
  }

  private mutating func list(depth: Int) throws(SequenceFileError) -> (nodes: [YAMLNode], end: Int) {
    var nodes: [YAMLNode] = []
    while true {
      let event = try events.next()
      if case .listEnd = event.kind { return (nodes, event.range.upperBound) }
      nodes.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(
    depth: Int
  ) throws(SequenceFileError) -> (entries: [YAMLNode.Entry], end: Int) {
    var entries: [YAMLNode.Entry] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return (entries, event.range.upperBound) }
      let key = try node(event, depth: depth + 1)
      guard case .scalar(let name) = key.content else {
        throw SequenceFileError(
          .wrong("\(key.kind) cannot be a key", remedy: "use a word"), at: event.position)
      }
      guard name != "<<" else {
        throw SequenceFileError(
          .wrong("merge keys are not supported", remedy: "use an alias, or repeat the block"),
          at: event.position)
      }
      if let line = lines.updateValue(event.position.line, forKey: name) {
        throw SequenceFileError(
          .wrong("the key \(quoted(name)) is already used in line \(line)", remedy: "remove one of them"),
          at: event.position)
      }
      let origin = YAMLNode.Origin(position: event.position, range: key.range, form: key.form)
      entries.append(.init(name, try node(try events.next(), depth: depth + 1), keyOrigin: origin))
    }
  }

  private func endOfScalar(_ text: String, _ event: YAMLEvent) -> Int {
    let range = event.range
    var end = range.upperBound
    switch event.form {
    case .plain: break
    case .block:
      // The range has the line breaks behind it. Those of empty lines belong to a text with `+` alone.
      let keepsLines = text.utf8.suffix(2).elementsEqual([0x0A, 0x0A]) || text.utf8.elementsEqual([0x0A])
      if keepsLines {
        for byte: UInt8 in [0x0A, 0x0D] where bytes[end - 1] == byte { end -= 1 }
      } else {
        while end > range.lowerBound, [0x0A, 0x0D, 0x20].contains(bytes[end - 1]) { end -= 1 }
      }
    case .enclosed:
      // A text in quotes is longer in the file if it has escapes that only JSON has.
      let quote = UInt8(ascii: "\"")
      guard isConverted, bytes[range.lowerBound] == quote else { break }
      end = range.lowerBound + 1
      while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
      end = min(end + 1, bytes.count)
    }
    return end
  }
}
