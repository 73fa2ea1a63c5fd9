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
  private var anchors: [String: YAMLNode] = [:]
  /// The anchors of nodes that are being parsed; an alias to one of them would contain itself.
  private var openAnchors: Set<String> = []

  /// Parses the only document in some bytes, which must be valid UTF-8; `nil` if there is none.
  static func root(of bytes: [UInt8]) throws(SequenceFileError) -> YAMLNode? {
    var reader = YAMLReader(events: try YAMLEvents(bytes))
    return try reader.document()
  }

  private init(events: consuming YAMLEvents) {
    self.events = events
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
    if case .alias(let name) = event.kind { return try anchored(name, at: event.position) }
    if let anchor = event.anchor { openAnchors.insert(anchor) }
    let content: YAMLNode.Content
    switch event.kind {
    case .scalar(let text): content = .scalar(text)
    case .listStart: content = .list(try list(depth: depth))
    case .mappingStart: content = .mapping(try mapping(depth: depth))
    case .alias, .listEnd, .mappingEnd, .documentStart, .documentEnd, .streamStart, .streamEnd:
      throw SequenceFileError(.wrong("a value is missing here"), at: event.position)
    }
    let node = YAMLNode(position: event.position, content: content)
    if let anchor = event.anchor {
      openAnchors.remove(anchor)
      anchors[anchor] = node
    }
    return node
  }

  private func anchored(_ name: String, at position: FilePosition) throws(SequenceFileError) -> YAMLNode {
    guard !openAnchors.contains(name) else {
      throw SequenceFileError(.wrong("the alias \(quoted(name)) contains itself"), at: position)
    }
    guard let node = anchors[name] else {
      throw SequenceFileError(
        .wrong(
          "the alias \(quoted(name)) has no anchor",
          remedy: "define it above with &\(name.prefix(60))"
        ),
        at: position)
    }
    return node
  }

  private mutating func list(depth: Int) throws(SequenceFileError) -> [YAMLNode] {
    var nodes: [YAMLNode] = []
    while true {
      let event = try events.next()
      if case .listEnd = event.kind { return nodes }
      nodes.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func mapping(
    depth: Int
  ) throws(SequenceFileError) -> [(key: String, keyPosition: FilePosition, value: YAMLNode)] {
    var entries: [(key: String, keyPosition: FilePosition, value: YAMLNode)] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return entries }
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
      entries.append((name, event.position, try node(try events.next(), depth: depth + 1)))
    }
  }
}
