struct DocumentText {
  let bytes: [UInt8]
  let root: YAMLNode?
  /// How scalars are written if the text is JSON; `nil` for other YAML.
  let json: JSONStyle?
  let newline: String
  /// The replacements of ranges of the text, which don't overlap.
  private var replacements: [(range: Range<Int>, text: String)] = []

  init(_ document: SequenceDocument) {
    (bytes, root) = (document.text, document.root)
    json = JSONEscapes.isJSON(bytes) ? JSONStyle(root) : nil
    let first = bytes.firstIndex(of: 0x0A) ?? 0
    newline = first > 0 && bytes[first - 1] == 0x0D ? "\r\n" : "\n"
  }

  var edited: [UInt8] {
    var edited: [UInt8] = []
    var place = 0
    // An insertion is before a removal that begins there.
    for (range, text) in replacements.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }) where place <= range.lowerBound {
      edited += bytes[place..<range.lowerBound]
      edited += text.utf8
      place = range.upperBound
    }
    return edited + bytes[place...]
  }

  mutating func replace(_ range: Range<Int>, by text: String) { replacements.append((range, text)) }

  // MARK: - Lines

  /// Inserts whole lines; a text without a line break at its end stays so.
  mutating func insertLines(_ text: String, at place: Int) {
    if place == bytes.count, place > 0, bytes[place - 1] != 0x0A {
      replace(place..<place, by: newline + withoutNewline(text))
    } else {
      replace(place..<place, by: text)
    }
  }

  /// Replaces whole lines; a text without a line break at its end stays so.
  mutating func replaceLines(_ range: Range<Int>, by text: String) {
    replace(range, by: range.upperBound == bytes.count && bytes.last != 0x0A ? withoutNewline(text) : text)
  }

  /// Removes whole lines; a text without a line break at its end stays so.
  mutating func removeLines(_ lines: Range<Int>) {
    var range = lines
    if range.upperBound == bytes.count, bytes.last != 0x0A, range.lowerBound > 0 {
      let before = range.lowerBound - (range.lowerBound > 1 && bytes[range.lowerBound - 2] == 0x0D ? 2 : 1)
      range = before..<range.upperBound
    }
    replace(range, by: "")
  }

  private func withoutNewline(_ text: String) -> String {
    String(decoding: text.utf8.dropLast(newline.utf8.count), as: UTF8.self)
  }

  func lines(in range: Range<Int>) -> [String] { DocumentText.lines(of: bytes[range]) }

  static func lines(of bytes: ArraySlice<UInt8>) -> [String] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    if bytes.last == 0x0A { lines.removeLast() }
    return lines
  }

  /// Lines at another column, joined with the line breaks of the text.
  func text(_ lines: (lines: [String], column: Int), at column: Int) -> String {
    var text = ""
    for line in lines.lines {
      let spaces = line.utf8.prefix { $0 == 0x20 }.count
      // An empty line stays empty. A comment that stands further out than the new column stays there.
      let indentation =
        line.isEmpty ? 0 : max(min(spaces, column), spaces + column - lines.column)
      text += String(repeating: " ", count: indentation)
      text += String(line.unicodeScalars.dropFirst(spaces)) + newline
    }
    return text
  }

  func lineStart(_ place: Int) -> Int {
    var start = place
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    return start
  }

  /// The end of the line of a place, behind its line break.
  func lineEnd(_ place: Int) -> Int {
    var end = place
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    return min(end + 1, bytes.count)
  }

  func firstCharacter(ofLineAt start: Int) -> Int {
    var place = start
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    return place
  }

  /// The column of a place, from 0, in bytes, which are characters in an indentation.
  func column(of place: Int) -> Int { place - lineStart(place) }

  func isFirstInLine(_ place: Int) -> Bool { firstCharacter(ofLineAt: lineStart(place)) == place }

  /// Whether a line is a comment alone, in some columns.
  func isComment(lineAt start: Int, in columns: some RangeExpression<Int>) -> Bool {
    let first = firstCharacter(ofLineAt: start)
    return first < bytes.count && bytes[first] == UInt8(ascii: "#") && columns.contains(first - start)
  }

  // MARK: - Places

  func node(at path: some Collection<YAMLNode.Step>) throws(DocumentError) -> YAMLNode {
    guard let node = root?.part(at: path) else { throw .noSuchPlace }
    return node
  }

  func entry(at path: [YAMLNode.Step]) throws(DocumentError) -> (entry: YAMLNode.Entry, mapping: YAMLNode) {
    guard case .key(let key)? = path.last else { throw .notPossible }
    let mapping = try node(at: path.dropLast())
    guard let entry = mapping.entries?.first(where: { $0.key == key }) else { throw .noSuchPlace }
    return (entry, mapping)
  }

  /// Whether a part is in brackets or braces.
  func isEnclosed(_ path: [YAMLNode.Step]) throws(DocumentError) -> Bool {
    for length in path.indices where try !node(at: path.prefix(length)).isBlock { return true }
    return false
  }

  func afterColon(of entry: YAMLNode.Entry) throws(DocumentError) -> Int {
    var place = entry.keyRange.upperBound
    while place < bytes.count, bytes[place] != UInt8(ascii: ":") { place += 1 }
    guard place < bytes.count else { throw .notPossible }
    return place + 1
  }

  // MARK: - Values

  /// The text of a value in one line, in the quotes of the one in whose place it comes.
  ///
  /// - Parameters:
  ///   - old: the former value; `nil` for a new key.
  ///   - isEnclosed: whether it is in brackets or braces.
  func text(
    of value: YAMLNode, _ key: String, like old: YAMLNode?, isEnclosed: Bool
  ) throws(DocumentError) -> String {
    var written: String?
    if let json {
      written = json.text(of: value, key, like: old)
    } else if let text = value.text, value.anchor == nil, let old, old.form == .enclosed, old.text != nil,
      bytes.indices.contains(old.range.lowerBound)
    {
      written = YAMLText.scalar(text, isEnclosed: isEnclosed, like: bytes[old.range.lowerBound])
    } else {
      written = YAMLText.inLine(value, isEnclosed: isEnclosed)
    }
    guard let written else { throw .notPossible }
    return written
  }

  func enclosedText(
    of value: YAMLNode, inPlaceOf old: YAMLNode, _ key: String
  ) throws(DocumentError) -> String {
    var written: String?
    if let json {
      // As a program writes it: in lines, if the former one was.
      let start = lineStart(old.range.lowerBound)
      let indentation = bytes[old.range].contains(0x0A) ? firstCharacter(ofLineAt: start) - start : nil
      written = json.text(of: value, key, like: old, at: indentation, newline)
    } else {
      written = YAMLText.inLine(value)
    }
    guard let written else { throw .notPossible }
    return written
  }

  func written(_ key: String, isEnclosed: Bool) -> String {
    json == nil ? YAMLText.scalar(key, isEnclosed: isEnclosed) : YAMLText.json(key)
  }
}
