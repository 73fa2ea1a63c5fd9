/// A text that is edited in place.
struct DocumentText {
  private let bytes: [UInt8]
  private let root: TextNode?
  /// How scalars are written if the text is JSON; `nil` for other YAML.
  private let json: JSONStyle?
  /// The replacements of ranges of the text, which don't overlap.
  private var replacements: [(range: Range<Int>, text: [UInt8])] = []

  init(_ document: SequenceDocument) {
    (bytes, root) = (document.text, document.root)
    json = JSONEscapes.isJSON(document.text) ? JSONStyle(document.root) : nil
  }

  /// The edited text.
  var edited: [UInt8] {
    var edited = bytes
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      edited.replaceSubrange(range, with: text)
    }
    return edited
  }

  private mutating func replace(_ range: Range<Int>, by text: String) {
    replacements.append((range, Array(text.utf8)))
  }

  /// The text of a value in one line, in the quotes of the one in whose place it comes; `nil` if it has none.
  private func text(
    of value: YAMLValue, _ key: String, like old: TextNode?, isEnclosed: Bool
  ) -> String? {
    if let json { return json.text(of: value, key, like: old) }
    guard case .scalar(let text) = value, let old, old.form == .enclosed, case .scalar = old.content,
      bytes.indices.contains(old.range.lowerBound)
    else { return value.inLine(isEnclosed: isEnclosed) }
    return YAMLValue.written(text, isEnclosed: isEnclosed, like: bytes[old.range.lowerBound])
  }

  /// The text of a value in the place of another one in brackets or braces; `nil` if it has none.
  private func enclosedText(of value: YAMLValue, inPlaceOf old: TextNode, _ key: String) -> String? {
    guard let json else { return value.inLine() }
    // As a program writes it: in lines, if the former one was.
    let indentation =
      bytes[old.range].contains(0x0A)
      ? firstCharacter(ofLineAt: lineStart(old.range.lowerBound)) - lineStart(old.range.lowerBound) : nil
    return json.text(of: value, key, like: old, at: indentation, newline)
  }

  // MARK: - Places

  /// The node at the end of a path.
  private func node(at path: some Collection<YAMLValue.Step>) throws(DocumentError) -> TextNode {
    guard var node = root else { throw .noSuchPlace }
    for step in path {
      guard let next = DocumentText.part(step, of: node) else { throw .noSuchPlace }
      node = next
    }
    return node
  }

  private static func part(_ step: YAMLValue.Step, of node: TextNode) -> TextNode? {
    switch step {
    case .key(let key): return node.entries.first { $0.key == key }?.value
    case .index(let index): return node.elements.indices.contains(index) ? node.elements[index] : nil
    }
  }

  /// Whether a part is in brackets or braces.
  private func isEnclosed(_ path: some Collection<YAMLValue.Step>) throws(DocumentError) -> Bool {
    guard var node = root else { return false }
    for step in path {
      guard let next = DocumentText.part(step, of: node) else { throw .noSuchPlace }
      if !node.isBlock { return true }
      node = next
    }
    return false
  }

  /// The line break of the text.
  private var newline: String {
    guard let place = bytes.firstIndex(of: 0x0A), place > 0, bytes[place - 1] == 0x0D else { return "\n" }
    return "\r\n"
  }

  private func lineStart(_ place: Int) -> Int {
    var start = place
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// The end of the line of a place, behind its line break.
  private func lineEnd(_ place: Int) -> Int {
    var end = place
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    return min(end + 1, bytes.count)
  }

  /// The place of the first character of a line that is no space.
  private func firstCharacter(ofLineAt start: Int) -> Int {
    var place = start
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    return place
  }

  /// The column of a place, from 0, in bytes, which are characters in an indentation.
  private func column(of place: Int) -> Int { place - lineStart(place) }

  /// Whether there is nothing but spaces before a place in its line.
  private func isFirstInLine(_ place: Int) -> Bool { firstCharacter(ofLineAt: lineStart(place)) == place }

  /// Whether a line is a comment alone, in some columns.
  private func isComment(lineAt start: Int, in columns: some RangeExpression<Int>) -> Bool {
    let first = firstCharacter(ofLineAt: start)
    return first < bytes.count && bytes[first] == UInt8(ascii: "#") && columns.contains(first - start)
  }

  /// The place behind the colon of an entry.
  private func afterColon(of entry: TextNode.Entry) throws(DocumentError) -> Int {
    var place = entry.keyRange.upperBound
    while place < bytes.count, bytes[place] != UInt8(ascii: ":") { place += 1 }
    guard place < bytes.count else { throw .notPossible }
    return place + 1
  }

  /// The dash of an element of a list with lines of its own; its line has nothing before it.
  private func dash(ofElementAt index: Int, in list: TextNode) throws(DocumentError) -> Int {
    let column = column(of: list.range.lowerBound)
    guard list.isBlock, list.anchor == nil, list.elements.indices.contains(index) else { throw .notPossible }
    let element = list.elements[index]
    var start = lineStart(min(element.range.lowerBound, bytes.count))
    while true {
      let place = start + column
      if place < bytes.count, bytes[place] == UInt8(ascii: "-"), firstCharacter(ofLineAt: start) == place,
        place < element.range.lowerBound || element.range.isEmpty
      {
        return place
      }
      guard start > lineStart(list.range.lowerBound) else { throw .notPossible }
      start = lineStart(start - 1)
    }
  }

  /// The lines of an element with its comments: those right above it that are no deeper than its dash, and deeper ones
  /// right below it.
  private func lines(ofElementAt index: Int, in list: TextNode) throws(DocumentError) -> Range<Int> {
    let dash = try dash(ofElementAt: index, in: list)
    let column = column(of: dash)
    var start = lineStart(dash)
    while start > 0, isComment(lineAt: lineStart(start - 1), in: 0...column) { start = lineStart(start - 1) }
    var end = lineEnd(max(dash, list.elements[index].range.upperBound))
    while end < bytes.count, isComment(lineAt: end, in: (column + 1)...) { end = lineEnd(end) }
    return start..<end
  }

  // MARK: - Lists

  /// The lines of a new element in the first column, as they are inserted into the list at a path.
  func lines(
    of element: YAMLValue, forListAt path: [YAMLValue.Step]
  ) throws(DocumentError) -> [String] {
    let list = try node(at: path)
    // As its neighbors are written.
    let isInLine = list.elements.contains { !$0.isBlock && $0.entries.count > 0 } || list.elements.isEmpty
    let isFlat = element.inLine().map { $0.utf8.count <= 100 } ?? false
    if isInLine, isFlat, element["cards"] == nil, let line = element.inLine(isEnclosed: false) {
      return ["- " + line]
    }
    guard let lines = element.item(at: 0) else { throw .notPossible }
    return lines
  }

  /// The lines of an element with its comments, and the column of its dash.
  func lines(
    ofElementAt index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) -> (lines: [String], column: Int) {
    let list = try node(at: path)
    let range = try lines(ofElementAt: index, in: list)
    return (lines(in: range), column(of: try dash(ofElementAt: index, in: list)))
  }

  /// The same; `nil` if the element has no lines of its own.
  func elementLines(at index: Int, in path: [YAMLValue.Step]) -> (lines: [String], column: Int)? {
    do throws(DocumentError) { return try lines(ofElementAt: index, in: path) } catch { return nil }
  }

  /// The lines in a range, without their line breaks.
  private func lines(in range: Range<Int>) -> [String] {
    var lines = bytes[range].split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    if bytes[range].last == 0x0A { lines.removeLast() }
    return lines
  }

  /// Lines at another column, joined with the line breaks of the text.
  private func text(_ lines: (lines: [String], column: Int), at column: Int) throws(DocumentError) -> String {
    var text = ""
    for line in lines.lines {
      let shift = column - lines.column
      let spaces = line.utf8.prefix { $0 == 0x20 }.count
      // An empty line stays empty, and a comment that stands further out stays in the file.
      let indentation = line.utf8.count == spaces ? 0 : max(0, spaces + shift)
      text +=
        String(repeating: " ", count: indentation) + String(line.unicodeScalars.dropFirst(spaces)) + newline
    }
    return text
  }

  mutating func insert(
    _ lines: (lines: [String], column: Int), at index: Int, in path: [YAMLValue.Step]
  ) throws(DocumentError) {
    let list = try node(at: path)
    guard !list.elements.isEmpty else { return try fill(path, with: lines) }
    guard (0...list.elements.count).contains(index) else { throw .noSuchPlace }
    let column = column(of: try dash(ofElementAt: 0, in: list))
    let place =
      index == 0
      ? try self.lines(ofElementAt: 0, in: list).lowerBound
      : try self.lines(ofElementAt: index - 1, in: list).upperBound
    insertLines(try text(lines, at: column), at: place)
  }

  /// Inserts whole lines; a text without a line break at its end stays so.
  private mutating func insertLines(_ text: String, at place: Int) {
    if place == bytes.count, place > 0, bytes[place - 1] != 0x0A {
      let end = text.utf8.count - newline.utf8.count
      replace(place..<place, by: newline + String(decoding: Array(text.utf8)[..<end], as: UTF8.self))
    } else {
      replace(place..<place, by: text)
    }
  }

  /// Puts the first element into the empty list of a key.
  private mutating func fill(
    _ path: [YAMLValue.Step], with lines: (lines: [String], column: Int)
  ) throws(DocumentError) {
    guard case .key(let key)? = path.last, try !isEnclosed(path) else { throw .notPossible }
    let mapping = try node(at: path.dropLast())
    guard let entry = mapping.entries.first(where: { $0.key == key }) else { throw .noSuchPlace }
    let column = column(of: mapping.entries[0].keyRange.lowerBound)
    var text = newline + (try text(lines, at: column + 2))
    text.removeLast(1)
    replace(try afterColon(of: entry)..<entry.value.range.upperBound, by: text)
  }

  mutating func remove(at index: Int, in path: [YAMLValue.Step]) throws(DocumentError) {
    let list = try node(at: path)
    let lines = try lines(ofElementAt: index, in: list)
    if list.elements.count == 1 {
      guard case .key(let key)? = path.last else { throw .notPossible }
      let mapping = try node(at: path.dropLast())
      guard let entry = mapping.entries.first(where: { $0.key == key }) else { throw .noSuchPlace }
      let place = try afterColon(of: entry)
      replace(place..<place, by: " []")
    }
    removeLines(lines)
  }

  /// Removes whole lines; a text without a line break at its end stays so.
  private mutating func removeLines(_ lines: Range<Int>) {
    var range = lines
    if range.upperBound == bytes.count, bytes.last != 0x0A, range.lowerBound > 0 {
      let before = range.lowerBound - (range.lowerBound > 1 && bytes[range.lowerBound - 2] == 0x0D ? 2 : 1)
      range = before..<range.upperBound
    }
    replace(range, by: "")
  }

  mutating func group(
    _ range: Range<Int>, in path: [YAMLValue.Step], rounds: Int
  ) throws(DocumentError) {
    let list = try node(at: path)
    guard range.upperBound <= list.elements.count else { throw .noSuchPlace }
    let first = try lines(ofElementAt: range.lowerBound, in: list)
    let last = try lines(ofElementAt: range.upperBound - 1, in: list)
    let column = column(of: try dash(ofElementAt: range.lowerBound, in: list))
    let whole = first.lowerBound..<last.upperBound
    let indentation = String(repeating: " ", count: column)
    let text =
      indentation + "- rounds: \(rounds)" + newline + indentation + "  cards:" + newline
      + (try text((lines(in: whole), column), at: column + 4))
    replaceLines(whole, by: text)
  }

  mutating func ungroup(at index: Int, in path: [YAMLValue.Step]) throws(DocumentError) {
    let list = try node(at: path)
    let cards = try node(at: path + [.index(index), .key("cards")])
    let dash = try dash(ofElementAt: index, in: list)
    let whole = lineStart(dash)..<(try lines(ofElementAt: index, in: list).upperBound)
    guard !cards.elements.isEmpty else { throw .notPossible }
    let first = try lines(ofElementAt: 0, in: cards)
    let last = try lines(ofElementAt: cards.elements.count - 1, in: cards)
    let inner = lines(in: first.lowerBound..<last.upperBound)
    let column = column(of: try self.dash(ofElementAt: 0, in: cards))
    replaceLines(whole, by: try text((inner, column), at: self.column(of: dash)))
  }

  /// Replaces whole lines; a text without a line break at its end stays so.
  private mutating func replaceLines(_ range: Range<Int>, by text: String) {
    if range.upperBound == bytes.count, bytes.last != 0x0A {
      let end = text.utf8.count - newline.utf8.count
      replace(range, by: String(decoding: Array(text.utf8)[..<end], as: UTF8.self))
    } else {
      replace(range, by: text)
    }
  }

  // MARK: - Mappings

  mutating func set(
    _ key: String, to value: YAMLValue?, at path: [YAMLValue.Step]
  ) throws(DocumentError) {
    guard root != nil else {
      if let value { try append(YAMLValue.Entry(key, value), at: 0) }
      return
    }
    let mapping = try node(at: path)
    guard case .mapping(let entries) = mapping.content else { throw .noSuchPlace }
    let place = entries.firstIndex { $0.key == key }
    guard mapping.isBlock else {
      return try setInLine(key, to: value, of: mapping, place)
    }
    switch (place, value) {
    case (let place?, let value?): try change(entries[place], of: mapping, to: value)
    case (let place?, nil): try removeEntry(at: place, of: mapping, path)
    case (nil, let value?): try append(YAMLValue.Entry(key, value), to: mapping)
    case (nil, nil): break
    }
  }

  /// Puts another key with its value, in one line, in the place of a key.
  mutating func replace(
    _ key: String, by new: YAMLValue.Entry, at path: [YAMLValue.Step]
  ) throws(DocumentError) {
    let mapping = try node(at: path)
    let isAround = try isEnclosed(path)
    let isEnclosed = isAround || !mapping.isBlock
    guard let entry = mapping.entries.first(where: { $0.key == key }),
      let value = text(of: new.value, new.key, like: nil, isEnclosed: isEnclosed)
    else { throw .notPossible }
    let text = written(new.key, isEnclosed: isEnclosed) + ": " + value
    replace(entry.keyRange.lowerBound..<entry.end, by: text)
  }

  /// Sets, adds or removes a key of a mapping in braces.
  private mutating func setInLine(
    _ key: String, to value: YAMLValue?, of mapping: TextNode, _ place: Int?
  ) throws(DocumentError) {
    let entries = mapping.entries
    switch (place, value) {
    case (let place?, let value?):
      let old = entries[place].value
      guard let text = text(of: value, key, like: old, isEnclosed: true) else { throw .notPossible }
      replace(old.range, by: old.range.isEmpty ? " " + text : text)
    case (let place?, nil):
      if hasComment(around: place, in: entries) {
        // A comma may stay behind the last key.
        let comma = place + 1 < entries.count ? try commaEnd(after: entries[place].end) : nil
        if let comma, bytes[entries[place].end..<comma].contains(UInt8(ascii: "#")) { throw .notPossible }
        replace(entries[place].keyRange.lowerBound..<(comma ?? entries[place].end), by: "")
      } else if place > 0 {
        replace(entries[place - 1].end..<entries[place].end, by: "")
      } else if entries.count > 1 {
        replace(entries[0].keyRange.lowerBound..<entries[1].keyRange.lowerBound, by: "")
      } else {
        replace(mapping.range, by: "{}")
      }
    case (nil, let value?):
      guard let text = text(of: value, key, like: nil, isEnclosed: true) else { throw .notPossible }
      let entry = written(key, isEnclosed: true) + ": " + text
      if let last = entries.last {
        let place = last.keyRange.lowerBound
        let hasLines = json != nil && isFirstInLine(place)
        let separator = hasLines ? newline + String(repeating: " ", count: column(of: place)) : " "
        replace(last.end..<last.end, by: "," + separator + entry)
      } else {
        replace(mapping.range, by: json == nil ? "{ " + entry + " }" : "{" + entry + "}")
      }
    case (nil, nil): break
    }
  }

  /// A key as text.
  private func written(_ key: String, isEnclosed: Bool) -> String {
    json == nil ? YAMLValue.written(key, isEnclosed: isEnclosed) : YAMLValue.quotedJSON(key)
  }

  /// Whether there is a comment between an entry in braces and its neighbors.
  private func hasComment(around place: Int, in entries: [TextNode.Entry]) -> Bool {
    [place - 1, place].contains { first in
      guard entries.indices.contains(first), entries.indices.contains(first + 1) else { return false }
      return bytes[entries[first].end..<entries[first + 1].keyRange.lowerBound].contains(UInt8(ascii: "#"))
    }
  }

  /// The place behind the comma that follows an entry in braces, and the spaces behind that.
  private func commaEnd(after end: Int) throws(DocumentError) -> Int {
    var place = end
    while place < bytes.count, bytes[place] != UInt8(ascii: ",") {
      place = bytes[place] == UInt8(ascii: "#") ? lineEnd(place) : place + 1
    }
    guard place < bytes.count else { throw .notPossible }
    place += 1
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    return place
  }

  /// Changes the value of an entry with lines of its own.
  private mutating func change(
    _ entry: TextNode.Entry, of mapping: TextNode, to value: YAMLValue
  ) throws(DocumentError) {
    let old = entry.value
    // Quotes and the comment behind a text in one line stay what they are.
    if !old.isBlock, old.form != .block, !old.range.isEmpty, !value.hasParts,
      let text = text(of: value, entry.key, like: old, isEnclosed: false)
    {
      return replace(old.range, by: text)
    }
    let column = column(of: entry.keyRange.lowerBound)
    guard let lines = YAMLValue.Entry(entry.key, value).lines(at: column), let first = lines.first else {
      throw .notPossible
    }
    let name = String(repeating: " ", count: column) + YAMLValue.written(entry.key, isEnclosed: false) + ":"
    var text = String(first.unicodeScalars.dropFirst(name.unicodeScalars.count))
    for line in lines.dropFirst() { text += newline + line }
    replace(try afterColon(of: entry)..<max(try afterColon(of: entry), old.range.upperBound), by: text)
  }

  private mutating func removeEntry(
    at place: Int, of mapping: TextNode, _ path: [YAMLValue.Step]
  ) throws(DocumentError) {
    let entries = mapping.entries
    let entry = entries[place]
    guard entries.count > 1 else {
      if path.isEmpty { return removeLines(lineStart(entry.keyRange.lowerBound)..<lineEnd(entry.end)) }
      return replace(mapping.range.lowerBound..<max(mapping.range.lowerBound, entry.end), by: "{}")
    }
    guard isFirstInLine(entry.keyRange.lowerBound) else {
      guard place + 1 < entries.count else { throw .notPossible }
      // The comments in the lines below are those of the next key, and follow the dash.
      let next = entries[place + 1].keyRange.lowerBound
      var end = lineEnd(max(entry.end, try afterColon(of: entry)))
      while end < next, !isComment(lineAt: end, in: 0...) { end = lineEnd(end) }
      return replace(entry.keyRange.lowerBound..<min(next, firstCharacter(ofLineAt: end)), by: "")
    }
    let column = column(of: entry.keyRange.lowerBound)
    var start = lineStart(entry.keyRange.lowerBound)
    // The comments above the first key are those of the file or of the element.
    while place > 0, start > 0, isComment(lineAt: lineStart(start - 1), in: column...column) {
      start = lineStart(start - 1)
    }
    removeLines(start..<lineEnd(max(entry.end, try afterColon(of: entry))))
  }

  private mutating func append(_ entry: YAMLValue.Entry, to mapping: TextNode) throws(DocumentError) {
    guard let first = mapping.entries.first, let last = mapping.entries.last else {
      throw .notPossible
    }
    let column = column(of: first.keyRange.lowerBound)
    guard let lines = entry.lines(at: column) else { throw .notPossible }
    var place = lineEnd(max(last.end, try afterColon(of: last)))
    while place < bytes.count, isComment(lineAt: place, in: (column + 1)...) { place = lineEnd(place) }
    insertLines(try text((lines, 0), at: 0), at: place)
  }

  /// Appends an entry to a text without a node.
  private mutating func append(_ entry: YAMLValue.Entry, at column: Int) throws(DocumentError) {
    guard let lines = entry.lines(at: column) else { throw .notPossible }
    insertLines(try text((lines, 0), at: 0), at: bytes.count)
  }

  // MARK: - New texts

  /// Gives a part a new text.
  mutating func rewrite(_ path: [YAMLValue.Step], as value: YAMLValue) throws(DocumentError) {
    guard root != nil, let step = path.last else {
      if let root, json != nil, let text = enclosedText(of: value, inPlaceOf: root, "") {
        return replace(root.range, by: text)
      }
      guard case .mapping(let entries) = value else { throw .notPossible }
      let text = entries.isEmpty ? [] : value.lines(at: 0)
      guard let text else { throw .notPossible }
      return replace(0..<bytes.count, by: text.map { $0 + newline }.joined())
    }
    let old = try node(at: path)
    if try isEnclosed(path) {
      let key = if case .key(let key) = step { key } else { "" }
      guard let text = enclosedText(of: value, inPlaceOf: old, key) else { throw .notPossible }
      return replace(old.range, by: old.range.isEmpty ? " " + text : text)
    }
    let parent = try node(at: path.dropLast())
    switch step {
    case .key(let key):
      guard let entry = parent.entries.first(where: { $0.key == key }) else { throw .noSuchPlace }
      try change(entry, of: parent, to: value)
    case .index(let index):
      let dash = try dash(ofElementAt: index, in: parent)
      guard let lines = value.item(at: column(of: dash)) else { throw .notPossible }
      let whole = lineStart(dash)..<lineEnd(max(dash, old.range.upperBound))
      replaceLines(whole, by: try text((lines, 0), at: 0))
    }
  }
}

extension TextNode.Entry {
  /// The end of its value, or of its key.
  fileprivate var end: Int { max(keyRange.upperBound, value.range.upperBound) }
}
