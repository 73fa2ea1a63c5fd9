import SequencePlatform

/// A position in a file, in lines and in columns of one character each, both from 1.
package struct FilePosition: Hashable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A node of a YAML text, as it was read or as an edit makes it.
///
/// Two nodes are equal if their texts mean the same. An alias means its name, so that comparing takes time proportional
/// to the text.
package struct YAMLNode: Equatable, Sendable {
  /// The content; for an alias that of the node that it repeats.
  package private(set) var content: Content
  /// The name that aliases use; `nil` without one.
  ///
  /// The second anchor with a name in a text gets another one, so that an edit can't change the meaning of an alias
  /// unnoticed.
  package let anchor: String?
  /// The anchor of the node that this one repeats; `nil` for a node with a text of its own.
  package let alias: String?
  /// The place in the text that was read; `nil` for a node that an edit makes.
  let origin: Origin?
  package enum Content: Equatable, Sendable {
    case scalar(String)
    case list([YAMLNode])
    /// Keys are texts, and unique.
    case mapping([Entry])

    package static func == (left: Content, right: Content) -> Bool {
      switch (left, right) {
      // Characters that look alike can have other bytes, and a file keeps those that were written.
      case (.scalar(let text), .scalar(let other)): text.utf8.elementsEqual(other.utf8)
      case (.list(let nodes), .list(let others)): nodes == others
      case (.mapping(let entries), .mapping(let others)): entries == others
      case (.scalar, _), (.list, _), (.mapping, _): false
      }
    }
  }

  package struct Entry: Equatable, Sendable {
    package let key: String
    package var value: YAMLNode
    let keyOrigin: Origin?

    /// The bytes of the key.
    var keyRange: Range<Int> { keyOrigin?.range ?? 0..<0 }

    package init(_ key: String, _ value: YAMLNode) { self.init(key, value, keyOrigin: nil) }

    init(_ key: String, _ value: YAMLNode, keyOrigin: Origin?) {
      (self.key, self.value, self.keyOrigin) = (key, value, keyOrigin)
    }

    package static func == (left: Entry, right: Entry) -> Bool {
      left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }
  }

  struct Origin {
    /// For an alias the position of the node that it repeats.
    let position: FilePosition
    /// The bytes of the node; those of a block end with its last text.
    let range: Range<Int>
    let form: YAMLEvent.Form
  }

  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  init(_ content: Content, anchor: String? = nil, alias: String? = nil, origin: Origin? = nil) {
    (self.content, self.anchor, self.alias, self.origin) = (content, anchor, alias, origin)
  }

  package static func scalar(_ text: String) -> YAMLNode { YAMLNode(.scalar(text)) }
  package static func list(_ elements: [YAMLNode]) -> YAMLNode { YAMLNode(.list(elements)) }
  package static func mapping(_ entries: [Entry]) -> YAMLNode { YAMLNode(.mapping(entries)) }

  package static func == (left: YAMLNode, right: YAMLNode) -> Bool {
    left.alias == right.alias && left.anchor == right.anchor
      && (left.alias != nil || left.content == right.content)
  }
}

// MARK: - Parts

extension YAMLNode {
  /// For messages; a node that an edit makes has none yet.
  package var position: FilePosition { origin?.position ?? FilePosition(line: 1, column: 1) }

  package var kind: LocalizedText {
    switch content {
    case .scalar(""): LocalizedText("nothing")
    case .scalar(let text): LocalizedText(verbatim: quoted(text))
    case .list: LocalizedText("a list")
    case .mapping: LocalizedText("a mapping")
    }
  }

  /// The bytes of the node; empty for one that an edit makes.
  var range: Range<Int> { origin?.range ?? 0..<0 }

  var form: YAMLEvent.Form { origin?.form ?? .block }

  /// Whether it is a list or a mapping with lines of its own.
  var isBlock: Bool { alias == nil && text == nil && form == .block }

  package subscript(key: String) -> YAMLNode? { entries?.first { $0.key == key }?.value }

  /// The nodes of a list with a text of its own; `nil` if it is none.
  package var elements: [YAMLNode]? {
    if alias == nil, case .list(let elements) = content { elements } else { nil }
  }

  package var entries: [Entry]? {
    if alias == nil, case .mapping(let entries) = content { entries } else { nil }
  }

  package var text: String? { if alias == nil, case .scalar(let text) = content { text } else { nil } }

  /// The part at the end of a path; `nil` if there is none, or if an alias is on the way.
  package func part(at path: some Collection<Step>) -> YAMLNode? {
    guard let step = path.first else { return self }
    let part: YAMLNode? =
      switch step {
      case .key(let key): self[key]
      case .index(let index): elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
    return part?.part(at: path.dropFirst())
  }

  /// Whether a list or a mapping is in it, so that it gets lines of its own.
  var hasParts: Bool {
    func isPart(_ node: YAMLNode) -> Bool { node.alias == nil && node.text == nil }
    return elements?.contains(where: isPart) ?? entries?.contains { isPart($0.value) } ?? false
  }

  package var hasAnchor: Bool {
    anchor != nil || elements?.contains(where: \.hasAnchor) ?? false
      || entries?.contains(where: \.value.hasAnchor) ?? false
  }

  /// The node with the parts in the places of their aliases, and without anchors and ids, so that it can be repeated.
  package var copy: YAMLNode {
    switch content {
    case .scalar(let text): .scalar(text)
    case .list(let elements): .list(elements.map(\.copy))
    case .mapping(let entries):
      .mapping(entries.filter { $0.key != "id" }.map { Entry($0.key, $0.value.copy) })
    }
  }
}

// MARK: - Edits

extension YAMLNode {
  /// The node with another part at the end of a path; `nil` if there is no such part.
  func replacing(_ path: some Collection<Step>, by change: (YAMLNode) -> YAMLNode?) -> YAMLNode? {
    guard let step = path.first else { return change(self) }
    guard let part = part(at: CollectionOfOne(step))?.replacing(path.dropFirst(), by: change) else {
      return nil
    }
    switch step {
    case .key(let key): return setting(key, to: part)
    case .index(let index): return replacingElements(index..<index + 1, by: [part])
    }
  }

  /// The mapping with a key set, at its place or as the last one, or without it for `nil`.
  ///
  /// - Returns: `nil` if it is no mapping.
  func setting(_ key: String, to value: YAMLNode?) -> YAMLNode? {
    guard var entries else { return nil }
    switch (entries.firstIndex { $0.key == key }, value) {
    case (let index?, let value?): entries[index].value = value
    case (let index?, nil): entries.remove(at: index)
    case (nil, let value?): entries.append(Entry(key, value))
    case (nil, nil): break
    }
    return with(.mapping(entries))
  }

  func replacing(_ key: String, by new: Entry) -> YAMLNode? {
    guard var entries, let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    entries[index] = new
    return with(.mapping(entries))
  }

  /// The list with other elements in the place of some; `nil` if it is none, or hasn't these places.
  func replacingElements(_ range: Range<Int>, by new: [YAMLNode]) -> YAMLNode? {
    guard var elements, range.lowerBound >= 0, range.upperBound <= elements.count else { return nil }
    elements.replaceSubrange(range, with: new)
    return with(.list(elements))
  }

  private func with(_ content: Content) -> YAMLNode {
    var node = self
    node.content = content
    return node
  }
}
