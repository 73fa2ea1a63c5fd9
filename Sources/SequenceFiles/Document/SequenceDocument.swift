public import SequencePlatform
public import SequenceRunner

/// The text of a sequence file or of `config.yaml`, which edits change in place.
///
/// An edit is a function from document to document. It replaces only text of the edited element, its separators and its
/// own comments. Comments, order, indentation, quotes and line ends of everything else stay, byte for byte. Each edit
/// parses the new text, and compares its value with the same edit of the former value. A change in place isn't always
/// possible, for example in a list in brackets. Then the smallest part around the edit gets a new text.
///
/// Undo is a stack of documents.
public struct SequenceDocument: Hashable, Sendable {
  /// The text, without a mark of the byte order at its beginning.
  let text: [UInt8]
  /// Whether the file has that mark.
  private var isMarked: Bool
  /// The root of the text; `nil` if it has no node.
  let root: YAMLNode?
  /// How many parts got a new text since the document was read.
  package private(set) var rewriteCount = 0

  /// Reads a regular file.
  ///
  /// - Throws: `SequenceFileError` if the file can't be read, or with the position of the first mistake in the syntax.
  public init(path: String) throws(SequenceFileError) {
    try SequenceFile.requireRegular(path)
    try self.init(SequenceFile.bytes(ofFileAt: path))
  }

  /// Reads a text.
  ///
  /// - Throws: `SequenceFileError` with the position of the first mistake in the syntax.
  public init(_ bytes: [UInt8]) throws(SequenceFileError) {
    root = try SequenceFile.root(of: bytes)
    text = SourceText.withoutByteOrderMark(bytes)
    isMarked = text.count < bytes.count
  }

  package var value: YAMLNode { root ?? .mapping([]) }

  /// The bytes of the file.
  public var bytes: [UInt8] { isMarked ? [0xEF, 0xBB, 0xBF] + text : text }

  /// Two documents are equal if their texts are.
  public static func == (left: SequenceDocument, right: SequenceDocument) -> Bool {
    left.text == right.text && left.isMarked == right.isMarked
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Writes the text into the file that another document was read from, unless the file has changed since.
  ///
  /// - Parameters:
  ///   - path: the path of the file; a link stays a link.
  ///   - read: the document as it was read.
  /// - Returns: whether the text was written; if it wasn't, another program has changed the file or removed it.
  /// - Throws: `SystemError`.
  public func save(at path: String, insteadOf read: SequenceDocument) throws(SystemError) -> Bool {
    try AtomicFile.replace(read.bytes, by: bytes, at: path, upTo: SequenceLimits.largestFile) == .replaced
  }
}

// MARK: - Edits

extension SequenceDocument {
  /// Sets the value of a key, or removes the key for `nil`.
  ///
  /// - Parameter path: the path of the mapping; empty for the whole text.
  package func setting(
    _ key: String, to new: YAMLNode?, at path: [YAMLNode.Step] = []
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path, by: { $0.setting(key, to: new) }) { text throws(DocumentError) in
      try text.set(key, to: new, at: path)
    }
  }

  package func replacing(
    _ key: String, by new: YAMLNode.Entry, at path: [YAMLNode.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path, by: { $0.replacing(key, by: new) }) { text throws(DocumentError) in
      try text.replace(key, by: new, at: path)
    }
  }

  package func inserting(
    _ elements: [YAMLNode], at index: Int, in path: [YAMLNode.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path, by: { $0.replacingElements(index..<index, by: elements) }) {
      text throws(DocumentError) in
      var lines: [String] = []
      for element in elements { lines += try text.lines(of: element, forListAt: path).lines }
      try text.insert((lines, 0), at: index, in: path)
    }
  }

  package func removing(
    at index: Int, in path: [YAMLNode.Step]
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path, by: { $0.replacingElements(index..<index + 1, by: []) }) { text throws(DocumentError) in
      try text.remove(at: index, in: path)
    }
  }

  /// Puts an element in the place of an alias, whose comments stay.
  package func replacing(
    at index: Int, in path: [YAMLNode.Step], by element: YAMLNode
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path + [.index(index)], by: { _ in element }) { text throws(DocumentError) in
      try text.replace(at: index, in: path, by: element)
    }
  }

  /// Inserts a copy of an element after it, with its comments and without its id.
  ///
  /// - Throws: `DocumentError.anchor` if the element has one.
  package func duplicating(
    at index: Int, in path: [YAMLNode.Step]
  ) throws(DocumentError) -> SequenceDocument {
    guard let element = value.part(at: path + [.index(index)]), !element.hasAnchor else { throw .anchor }
    let copy = try edited(path, by: { $0.replacingElements(index + 1..<index + 1, by: [element]) }) {
      text throws(DocumentError) in
      try text.insert(text.lines(ofElementAt: index, in: path), at: index + 1, in: path)
    }
    return element["id"] == nil ? copy : try copy.setting("id", to: nil, at: path + [.index(index + 1)])
  }

  /// Moves an element with its comments.
  ///
  /// - Parameter newPath: the path of the other list, as it is before the move.
  package func moving(
    at index: Int, in path: [YAMLNode.Step], to newIndex: Int, in newPath: [YAMLNode.Step]
  ) throws(DocumentError) -> SequenceDocument {
    let place = path + [.index(index)]
    guard !newPath.starts(with: place), let element = value.part(at: place) else { throw .noSuchPlace }
    if newPath == path, index == newIndex { return self }
    // After the removal, places behind the element in its list are one lower.
    var target = newPath
    if newPath.count > path.count, newPath.starts(with: path), case .index(let other) = newPath[path.count],
      other > index
    {
      target[path.count] = .index(other - 1)
    }
    let insertion = { (list: YAMLNode) in list.replacingElements(newIndex..<newIndex, by: [element]) }
    let expected = value.replacing(path) { $0.replacingElements(index..<index + 1, by: []) }?
      .replacing(target, by: insertion)
    guard let expected else { throw .noSuchPlace }
    let source = DocumentText(self)
    let moved = try removing(at: index, in: path).edited(target, by: insertion) {
      text throws(DocumentError) in
      let lines: DocumentText.Lines
      do throws(DocumentError) {
        // An empty list is written with dashes.
        let list = try text.node(at: target)
        guard try source.node(at: path).isBlock == (list.isBlock || list.elements?.isEmpty == true) else {
          throw .notPossible
        }
        lines = try source.lines(ofElementAt: index, in: path)
      } catch {
        lines = try text.lines(of: element, forListAt: target)
      }
      try text.insert(lines, at: newIndex, in: target)
    }
    guard moved.value == expected else { throw .notPossible }
    return moved
  }

  package func grouping(
    _ range: Range<Int>, in path: [YAMLNode.Step], rounds: Int
  ) throws(DocumentError) -> SequenceDocument {
    try edited(path) { list in
      guard let elements = list.elements, !range.isEmpty, elements.indices.contains(range) else { return nil }
      let cards = YAMLNode.list(Array(elements[range]))
      let group = YAMLNode.mapping([.init("rounds", .scalar(String(rounds))), .init("cards", cards)])
      return list.replacingElements(range, by: [group])
    } in: { text throws(DocumentError) in
      try text.group(range, in: path, rounds: rounds)
    }
  }

  package func ungrouping(
    at index: Int, in path: [YAMLNode.Step]
  ) throws(DocumentError) -> SequenceDocument {
    guard let cards = value.part(at: path + [.index(index)])?["cards"]?.elements else { throw .noSuchPlace }
    return try edited(path, by: { $0.replacingElements(index..<index + 1, by: cards) }) {
      text throws(DocumentError) in
      try text.ungroup(at: index, in: path)
    }
  }

  // MARK: - Proof

  /// Edits the text, and compares its new value with the edited value.
  ///
  /// - Parameter change: the edit of the value; `nil` if that is impossible.
  private func edited(
    _ path: [YAMLNode.Step], by change: (YAMLNode) -> YAMLNode?,
    in edit: (inout DocumentText) throws(DocumentError) -> Void
  ) throws(DocumentError) -> SequenceDocument {
    guard let expected = value.replacing(path, by: change) else { throw .noSuchPlace }
    if let document = document(meaning: expected, by: edit) { return document }
    // The smallest part around the edit that can get a new text.
    for length in (0...path.count).reversed() {
      let place = Array(path.prefix(length))
      guard let part = expected.part(at: place) else { throw .noSuchPlace }
      let rewritten = document(meaning: expected) { text throws(DocumentError) in
        try text.rewrite(place, as: part)
      }
      if var rewritten {
        rewritten.rewriteCount += 1
        return rewritten
      }
    }
    throw .notPossible
  }

  /// The document of an edited text; `nil` if the text can't be edited in this way, or would mean something else.
  private func document(
    meaning expected: YAMLNode, by edit: (inout DocumentText) throws(DocumentError) -> Void
  ) -> SequenceDocument? {
    do {
      var text = DocumentText(self)
      try edit(&text)
      var document = try SequenceDocument(text.edited)
      guard document.value == expected else { return nil }
      (document.isMarked, document.rewriteCount) = (isMarked, rewriteCount)
      return document
    } catch {
      return nil
    }
  }
}

/// The reason why a document can't be edited.
package enum DocumentError: ExplainedError, Hashable, Sendable {
  /// The key, the element or the list does not exist.
  case noSuchPlace
  /// The element has an anchor, which a copy would define again.
  case anchor
  /// The result would have another value than the edit gives, for example because of an alias.
  case notPossible

  package var problem: Problem {
    switch self {
    case .noSuchPlace: Problem("there is no card or group at this place")
    case .anchor: Problem("other cards repeat this one", remedy: "copy its keys without the anchor")
    case .notPossible:
      Problem("this can't be changed without changing something else", remedy: "edit the file as text")
    }
  }
}

/// Edits of cards and groups by their places, for other programs.
///
/// A place is the index of an element, after those of the groups around it, and empty for the sequence. The document that an
/// edit gives may be no sequence, for example without a card: `SequenceFile.parse` checks that.
extension SequenceDocument {
  /// Sets a key of a card, a group or the sequence, or removes it for `nil`.
  ///
  /// - Parameters:
  ///   - key: the key, such as `countdown`. Setting `cards` replaces all of them.
  ///   - text: the value as it is written in the file, such as `45s`: a text, never a mapping such as `{}`.
  ///   - place: the place of the element; `[]` for the sequence.
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func setting(
    _ key: String, to text: String?, at place: [Int]
  ) throws -> SequenceDocument {
    try setting(key, to: text.map { .scalar($0) }, at: SequenceDocument.path(place))
  }

  /// Puts a card or a group in the place of another one, whose comments stay if it is an alias.
  ///
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func replacing(
    at place: [Int], by element: SequenceElement
  ) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    return try replacing(at: index, in: list, by: YAMLNode(element))
  }

  /// Inserts a card or a group, which gets a place.
  ///
  /// An id that was passed to the card is written, too.
  ///
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func inserting(
    _ element: SequenceElement, at place: [Int]
  ) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    return try inserting([YAMLNode(element)], at: index, in: list)
  }

  /// Removes a card or a group with its comments.
  ///
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func removing(at place: [Int]) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    return try removing(at: index, in: list)
  }

  /// Moves a card or a group with its comments.
  ///
  /// - Parameters:
  ///   - place: its place.
  ///   - newPlace: the place that it gets; the groups in it are counted as they are before the move.
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func moving(from place: [Int], to newPlace: [Int]) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    let (newIndex, newList) = try SequenceDocument.listPlace(newPlace)
    return try moving(at: index, in: list, to: newIndex, in: newList)
  }

  private static func path(_ place: some Collection<Int>) -> [YAMLNode.Step] {
    place.flatMap { [.key("cards"), .index($0)] }
  }

  private static func listPlace(
    _ place: [Int]
  ) throws(DocumentError) -> (index: Int, list: [YAMLNode.Step]) {
    guard let index = place.last else { throw .noSuchPlace }
    return (index, path(place.dropLast()) + [.key("cards")])
  }
}
