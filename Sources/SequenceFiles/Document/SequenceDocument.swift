package import SequencePlatform
import SequenceRunner

/// The text of a sequence file or of `config.yaml`, which edits change in place.
///
/// An edit is a function from document to document. It replaces only text of the edited element, its separators and its
/// own comments. Comments, order, indentation, quotes and line ends of everything else stay, byte for byte. Each edit
/// parses the new text, and compares its value with the same edit of the former value. A change in place isn't always
/// possible, for example in a list in brackets. Then the smallest part around the edit gets a new text.
///
/// It knows no files. Undo is a stack of documents.
package struct SequenceDocument: Hashable, Sendable {
  /// The text, without a mark of the byte order at its beginning.
  let text: [UInt8]
  /// Whether the file has that mark.
  private var isMarked: Bool
  /// The nodes of the text; `nil` if it has none.
  let root: TextNode?
  /// The value of the text; an empty mapping for a text without a node.
  package let value: YAMLValue
  /// How many parts got a new text since the document was read.
  package private(set) var rewriteCount = 0

  /// Reads a text.
  ///
  /// - Throws: `SequenceFileError` with the position of the first mistake in the syntax.
  package init(_ bytes: [UInt8]) throws(SequenceFileError) {
    // It is refused if the program can't read it: keys that are no texts or come twice, tags, endless aliases.
    _ = try SequenceFile.root(of: bytes)
    text = SourceText.withoutByteOrderMark(bytes)
    isMarked = text.count < bytes.count
    root = try TextNodeReader.root(of: text)
    value = root?.value ?? .mapping([])
  }

  /// The bytes of the file.
  package var bytes: [UInt8] { isMarked ? [0xEF, 0xBB, 0xBF] + text : text }

  /// Two documents are equal if their texts are.
  package static func == (left: SequenceDocument, right: SequenceDocument) -> Bool {
    left.text == right.text && left.isMarked == right.isMarked
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  // MARK: - Edits

  /// Sets the value of a key, or removes the key for `nil`.
  ///
  /// - Parameter path: the path of the mapping; empty for the whole text.
  /// - Throws: `DocumentError`.
  package func setting(
    _ key: String, to new: YAMLValue?, at path: [YAMLValue.Step] = []
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path, by: { $0.setting(key, to: new) }) { text throws(DocumentError) in
      try text.set(key, to: new, at: path)
    }
  }

  /// Puts another key with its value in the place of a key.
  ///
  /// - Parameter path: the path of the mapping.
  /// - Throws: `DocumentError`.
  package func replacing(
    _ key: String, by new: YAMLValue.Entry, at path: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path, by: { $0.replacing(key, by: new) }) { text throws(DocumentError) in
      try text.replace(key, by: new, at: path)
    }
  }

  /// Inserts an element into a list.
  ///
  /// - Parameters:
  ///   - index: the index that the element gets.
  ///   - path: the path of the list.
  /// - Throws: `DocumentError`.
  package func inserting(
    _ element: YAMLValue, at index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try inserting([element], at: index, in: path)
  }

  /// Inserts elements into a list, the first at an index.
  ///
  /// - Throws: `DocumentError`.
  package func inserting(
    _ elements: [YAMLValue], at index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try require(index, upTo: 1, in: path)
    return try edited(path, by: { $0.changingElements { $0.insert(contentsOf: elements, at: index) } }) {
      text throws(DocumentError) in
      var lines: [String] = []
      for element in elements { lines += try text.lines(of: element, forListAt: path) }
      try text.insert((lines, 0), at: index, in: path)
    }
  }

  /// Refuses a place that is not in a list.
  ///
  /// - Parameter more: how many places behind its elements count.
  private func require(_ index: Int, upTo more: Int = 0, in path: [YAMLValue.Step]) throws(DocumentError) {
    guard let elements = value.part(at: path)?.elements, (0..<elements.count + more).contains(index) else {
      throw .noSuchPlace
    }
  }

  /// Removes an element of a list.
  ///
  /// - Throws: `DocumentError`.
  package func removing(
    at index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try require(index, in: path)
    return try edited(path, by: { $0.changingElements { $0.remove(at: index) } }) {
      text throws(DocumentError) in
      try text.remove(at: index, in: path)
    }
  }

  /// Inserts a copy of an element after it, with its comments and without its id.
  ///
  /// - Throws: `DocumentError`, such as `.anchor` if the element has one.
  package func duplicating(
    at index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    guard let element = value.part(at: path + [.index(index)]), !element.hasAnchor else { throw .anchor }
    let copy = try edited(path, by: { $0.changingElements { $0.insert(element, at: index + 1) } }) {
      text throws(DocumentError) in
      try text.insert(text.lines(ofElementAt: index, in: path), at: index + 1, in: path)
    }
    return element["id"] == nil ? copy : try copy.setting("id", to: nil, at: path + [.index(index + 1)])
  }

  /// Moves an element to a place in the same list or another one, with its comments.
  ///
  /// - Parameters:
  ///   - path: the path of its list.
  ///   - newIndex: the index that it gets.
  ///   - newPath: the path of the other list, as it is before the move.
  /// - Throws: `DocumentError`.
  package func moving(
    at index: Int, in path: [YAMLValue.Step], to newIndex: Int, in newPath: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    let place = path + [.index(index)]
    let isSame = newPath == path
    guard !newPath.starts(with: place), let element = value.part(at: place),
      let others = value.part(at: newPath)?.elements, (0...others.count - (isSame ? 1 : 0)).contains(newIndex)
    else { throw .noSuchPlace }
    if isSame, index == newIndex { return self }
    // After the removal, places behind the element in its list are one lower.
    var target = newPath
    if newPath.count > path.count, newPath.starts(with: path), case .index(let other) = newPath[path.count],
      other > index
    {
      target[path.count] = .index(other - 1)
    }
    guard
      let expected = value.replacing(path, by: { $0.changingElements { $0.remove(at: index) } })?
        .replacing(target, by: { $0.changingElements { $0.insert(element, at: newIndex) } })
    else { throw .noSuchPlace }
    let rest = try removing(at: index, in: path)
    let lines = DocumentText(self).elementLines(at: index, in: path)
    let moved = try rest.edited(target, by: { $0.changingElements { $0.insert(element, at: newIndex) } }) {
      text throws(DocumentError) in
      guard let lines else {
        return try text.insert((text.lines(of: element, forListAt: target), 0), at: newIndex, in: target)
      }
      try text.insert(lines, at: newIndex, in: target)
    }
    guard moved.value == expected else { throw .notPossible }
    return moved
  }

  /// Puts consecutive elements of a list into a group with a number of rounds.
  ///
  /// - Throws: `DocumentError`.
  package func grouping(
    _ range: Range<Int>, in path: [YAMLValue.Step], rounds: Int
  ) throws(DocumentError) -> SequenceDocument {
    guard !range.isEmpty else { throw .noSuchPlace }
    try require(range.lowerBound, in: path)
    try require(range.upperBound - 1, in: path)
    return try edited(path) { list in
      list.changingElements { elements in
        let group = YAMLValue.mapping([
          YAMLValue.Entry("rounds", .scalar(String(rounds))),
          YAMLValue.Entry("cards", .list(Array(elements[range]))),
        ])
        elements.replaceSubrange(range, with: [group])
      }
    } in: { text throws(DocumentError) in
      try text.group(range, in: path, rounds: rounds)
    }
  }

  /// Replaces a group by its cards.
  ///
  /// - Throws: `DocumentError`.
  package func ungrouping(
    at index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) -> SequenceDocument {
    guard let cards = value.part(at: path + [.index(index)])?["cards"]?.elements else { throw .noSuchPlace }
    return try edited(path, by: { $0.changingElements { $0.replaceSubrange(index...index, with: cards) } }) {
      text throws(DocumentError) in
      try text.ungroup(at: index, in: path)
    }
  }

  // MARK: - Files

  /// Writes the text into the file that another document was read from, unless the file has changed since.
  ///
  /// - Parameters:
  ///   - path: the path of the file; a link stays a link.
  ///   - read: the document as it was read.
  /// - Returns: whether the file has the new text, or else what others have written.
  /// - Throws: `SystemError`.
  package func save(
    at path: String, insteadOf read: SequenceDocument
  ) throws(SystemError) -> AtomicFile.Replacement {
    try AtomicFile.replace(read.bytes, by: bytes, at: path, upTo: SequenceLimits.largestFile)
  }

  // MARK: - Proof

  /// Edits the text, and compares its new value with the edited value.
  ///
  /// - Parameters:
  ///   - path: the part that is edited.
  ///   - change: the edit of its value; `nil` if that is impossible.
  ///   - edit: the edit of the text.
  private func edited(
    _ path: [YAMLValue.Step], by change: (YAMLValue) -> YAMLValue?,
    in edit: (inout DocumentText) throws(DocumentError) -> Void
  ) throws(DocumentError) -> SequenceDocument {
    guard let expected = value.replacing(path, by: change) else { throw .noSuchPlace }
    var text = DocumentText(self)
    do throws(DocumentError) {
      try edit(&text)
      if let document = following(text, meaning: expected, rewrites: 0) { return document }
    } catch .notPossible {
      // Tried in another way.
    }
    // The smallest part around the edit that can get a new text.
    for length in (0...path.count).reversed() {
      let place = Array(path.prefix(length))
      guard let part = expected.part(at: place) else { throw .noSuchPlace }
      text = DocumentText(self)
      do throws(DocumentError) { try text.rewrite(place, as: part) } catch { continue }
      if let document = following(text, meaning: expected, rewrites: 1) { return document }
    }
    throw .notPossible
  }

  /// The document of an edited text; `nil` if its value isn't the expected one.
  private func following(
    _ text: DocumentText, meaning expected: YAMLValue, rewrites: Int
  ) -> SequenceDocument? {
    guard var document = try? SequenceDocument(text.edited), document.value == expected else { return nil }
    (document.isMarked, document.rewriteCount) = (isMarked, rewriteCount + rewrites)
    return document
  }
}

/// Why a document can't be edited.
package enum DocumentError: Error, Hashable, Sendable {
  /// The key, the element or the list does not exist.
  case noSuchPlace
  /// The element has an anchor, which a copy would define again.
  case anchor
  /// The result would have another value than the edit gives, for example because of an alias.
  case notPossible
}

extension YAMLValue {
  /// The list with other elements; `nil` if it is none, or a place is not in it.
  func changingElements(_ change: (inout [YAMLValue]) -> Void) -> YAMLValue? {
    if case .anchored(let name, let value) = self {
      return value.changingElements(change).map { .anchored(name, $0) }
    }
    guard case .list(var elements) = self else { return nil }
    change(&elements)
    return .list(elements)
  }

  /// The mapping with another entry in the place of a key; `nil` if it hasn't that key.
  func replacing(_ key: String, by new: Entry) -> YAMLValue? {
    if case .anchored(let name, let value) = self {
      return value.replacing(key, by: new).map { .anchored(name, $0) }
    }
    guard case .mapping(var entries) = self, let place = entries.firstIndex(where: { $0.key == key }) else {
      return nil
    }
    entries[place] = new
    return .mapping(entries)
  }

  /// Whether an anchor is in it.
  package var hasAnchor: Bool {
    switch self {
    case .anchored: true
    case .scalar, .alias: false
    case .list(let elements): elements.contains(where: \.hasAnchor)
    case .mapping(let entries): entries.contains(where: \.value.hasAnchor)
    }
  }
}
