/// Edits of lists with lines of their own for each element, behind dashes or in brackets.
extension DocumentText {
  /// Lines, and the column of their first element or its dash; in brackets, each element has a comma.
  typealias Lines = (lines: [String], column: Int)

  func lines(of element: YAMLNode, forListAt path: [YAMLNode.Step]) throws(DocumentError) -> Lines {
    let list = try node(at: path)
    let neighbors = list.elements ?? []
    if !list.isBlock, !neighbors.isEmpty {
      guard let line = YAMLText.inLine(element) else { throw .notPossible }
      return ([line + ","], 0)
    }
    let isInLine = neighbors.contains { !$0.isBlock && $0.entries?.isEmpty == false } || neighbors.isEmpty
    if isInLine, element["cards"] == nil, let line = YAMLText.inLine(element, isEnclosed: false),
      line.utf8.count <= 100
    {
      return (["- " + line], 0)
    }
    guard let lines = YAMLText.item(element, at: 0) else { throw .notPossible }
    return (lines, 0)
  }

  func lines(ofElementAt index: Int, in path: [YAMLNode.Step]) throws(DocumentError) -> Lines {
    let list = try node(at: path)
    let column = column(of: try start(ofElementAt: index, in: list))
    let range = try lines(ofElementAt: index, in: list)
    guard let end = try missingComma(afterElementAt: index, in: list) else {
      return (lines(in: range), column)
    }
    return (
      DocumentText.lines(
        of: bytes[range.lowerBound..<end] + [UInt8(ascii: ",")] + bytes[end..<range.upperBound]), column
    )
  }

  mutating func insert(_ lines: Lines, at index: Int, in path: [YAMLNode.Step]) throws(DocumentError) {
    let list = try node(at: path)
    guard list.elements?.isEmpty == false else { return try fill(path, with: lines) }
    let column = column(of: try start(ofElementAt: 0, in: list))
    if index > 0, let end = try missingComma(afterElementAt: index - 1, in: list) {
      replace(end..<end, by: ",")
    }
    var place =
      index == 0
      ? try self.lines(ofElementAt: 0, in: list).lowerBound
      : try self.lines(ofElementAt: index - 1, in: list).upperBound
    // The empty lines below would belong to a text with a plus, if the element ends with it.
    if lines.lines.contains(where: { $0.contains("|+") || $0.contains(">+") }) {
      while place < bytes.count, [0x0A, 0x0D].contains(bytes[firstCharacter(ofLineAt: place)]) {
        place = lineEnd(place)
      }
    }
    insertLines(text(lines, at: column), at: place)
  }

  /// Puts the first element into the empty list of a key.
  private mutating func fill(_ path: [YAMLNode.Step], with lines: Lines) throws(DocumentError) {
    guard try !isEnclosed(path) else { throw .notPossible }
    let (entry, mapping) = try entry(at: path)
    let column = column(of: mapping.entries?.first?.keyRange.lowerBound ?? 0)
    var text = newline + text(lines, at: column + 2)
    // Its line break is that of the entry.
    text.removeLast()
    replace(try afterColon(of: entry)..<entry.value.range.upperBound, by: text)
  }

  mutating func remove(at index: Int, in path: [YAMLNode.Step]) throws(DocumentError) {
    let list = try node(at: path)
    let lines = try lines(ofElementAt: index, in: list)
    if list.isBlock, list.elements?.count == 1 {
      let place = try afterColon(of: try entry(at: path).entry)
      replace(place..<place, by: " []")
    }
    removeLines(lines)
  }

  mutating func replace(
    at index: Int, in path: [YAMLNode.Step], by element: YAMLNode
  ) throws(DocumentError) {
    let list = try node(at: path)
    _ = try dash(ofElementAt: index, in: list)
    let old = try node(at: path + [.index(index)]).range
    guard !bytes[old].contains(0x0A) else { throw .notPossible }
    var (lines, _) = try lines(of: element, forListAt: path)
    let end = lineEnd(old.upperBound)
    lines[0] = "  " + lines[0].dropFirst(2) + (self.lines(in: old.upperBound..<end).first ?? "")
    let column = column(of: old.lowerBound)
    replaceLines(old.lowerBound..<end, by: String(text((lines, 2), at: column).dropFirst(column)))
  }

  mutating func group(
    _ range: Range<Int>, in path: [YAMLNode.Step], rounds: Int
  ) throws(DocumentError) {
    let list = try node(at: path)
    let first = try lines(ofElementAt: range.lowerBound, in: list)
    let last = try lines(ofElementAt: range.upperBound - 1, in: list)
    let column = column(of: try dash(ofElementAt: range.lowerBound, in: list))
    let whole = first.lowerBound..<last.upperBound
    let head = text((["- rounds: \(rounds)", "  cards:"], 0), at: column)
    replaceLines(whole, by: head + text((lines(in: whole), column), at: column + 4))
  }

  mutating func ungroup(at index: Int, in path: [YAMLNode.Step]) throws(DocumentError) {
    let list = try node(at: path)
    let dash = try dash(ofElementAt: index, in: list)
    let group = try lines(ofElementAt: index, in: list)
    let (entry, mapping) = try entry(at: path + [.index(index), .key("cards")])
    let cards = entry.value
    guard let count = cards.elements?.count, count > 0 else { throw .notPossible }
    // From the first comment below the key to the last one: what is in the lines of the cards belongs to them.
    let first = try lines(ofElementAt: 0, in: cards).lowerBound
    var start = lineEnd(try afterColon(of: entry))
    while start < first, !isComment(lineAt: start, in: 0...) { start = lineEnd(start) }
    var end = try lines(ofElementAt: count - 1, in: cards).upperBound
    let isLast = mapping.entries?.last?.key == entry.key
    let outer = isLast ? column(of: dash) : column(of: entry.keyRange.lowerBound)
    while end < group.upperBound, isComment(lineAt: end, in: (outer + 1)...) { end = lineEnd(end) }
    let column = column(of: try self.dash(ofElementAt: 0, in: cards))
    let inner = lines(in: min(start, first)..<end)
    replaceLines(lineStart(dash)..<group.upperBound, by: text((inner, column), at: self.column(of: dash)))
  }

  // MARK: - The lines of elements

  func dash(ofElementAt index: Int, in list: YAMLNode) throws(DocumentError) -> Int {
    guard list.isBlock, list.anchor == nil, let elements = list.elements, elements.indices.contains(index)
    else { throw .notPossible }
    let (element, column) = (elements[index].range, column(of: list.range.lowerBound))
    var start = lineStart(min(element.lowerBound, bytes.count))
    while true {
      let place = start + column
      if place < bytes.count, bytes[place] == UInt8(ascii: "-"), firstCharacter(ofLineAt: start) == place,
        place < element.lowerBound || element.isEmpty
      {
        return place
      }
      guard start > lineStart(list.range.lowerBound) else { throw .notPossible }
      start = lineStart(start - 1)
    }
  }

  /// The dash of an element, or its first byte in brackets.
  private func start(ofElementAt index: Int, in list: YAMLNode) throws(DocumentError) -> Int {
    guard !list.isBlock else { return try dash(ofElementAt: index, in: list) }
    guard json == nil, list.anchor == nil, let elements = list.elements, elements.indices.contains(index),
      !elements[index].range.isEmpty, isFirstInLine(elements[index].range.lowerBound)
    else { throw .notPossible }
    return elements[index].range.lowerBound
  }

  /// The end of an element in brackets that has no comma behind it; `nil` if it has, or for a list with dashes.
  ///
  /// - Throws: `DocumentError` if something else than a comment follows in the line.
  private func missingComma(afterElementAt index: Int, in list: YAMLNode) throws(DocumentError) -> Int? {
    guard !list.isBlock, let end = list.elements?[index].range.upperBound else { return nil }
    let isSpace = { (byte: UInt8) in byte == 0x20 }
    var rest = bytes[end...].drop(while: isSpace)
    let hasComma = rest.first == UInt8(ascii: ",")
    if hasComma { rest = rest.dropFirst().drop(while: isSpace) }
    guard let next = rest.first, [0x0A, 0x0D, UInt8(ascii: "#")].contains(next) else { throw .notPossible }
    return hasComma ? nil : end
  }

  /// The lines of an element with its comments: those right above it that are no deeper than its dash, and deeper ones
  /// right below it.
  private func lines(ofElementAt index: Int, in list: YAMLNode) throws(DocumentError) -> Range<Int> {
    let first = try self.start(ofElementAt: index, in: list)
    _ = try missingComma(afterElementAt: index, in: list)
    let column = column(of: first)
    var start = lineStart(first)
    while start > 0, isComment(lineAt: lineStart(start - 1), in: 0...column) { start = lineStart(start - 1) }
    var end = lineEnd(max(first, list.elements?[index].range.upperBound ?? first))
    while end < bytes.count, isComment(lineAt: end, in: (column + 1)...) { end = lineEnd(end) }
    return start..<end
  }
}
