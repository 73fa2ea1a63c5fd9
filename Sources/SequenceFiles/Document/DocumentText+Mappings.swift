/// Edits of mappings, and new texts for parts that can't be changed in place.
extension DocumentText {
  mutating func set(
    _ key: String, to value: YAMLNode?, at path: [YAMLNode.Step]
  ) throws(DocumentError) {
    guard root != nil else {
      if let value { insertLines(try lines(of: YAMLNode.Entry(key, value), at: 0), at: bytes.count) }
      return
    }
    let mapping = try node(at: path)
    guard let entries = mapping.entries else { throw .noSuchPlace }
    let place = entries.firstIndex { $0.key == key }
    guard mapping.isBlock else {
      return try setInLine(key, to: value, of: mapping, place)
    }
    switch (place, value) {
    case (let place?, let value?): try change(entries[place], to: value)
    case (let place?, nil): try removeEntry(at: place, of: entries, mapping, path)
    case (nil, let value?): try append(YAMLNode.Entry(key, value), to: entries)
    case (nil, nil): break
    }
  }

  mutating func replace(
    _ key: String, by new: YAMLNode.Entry, at path: [YAMLNode.Step]
  ) throws(DocumentError) {
    let (entry, mapping) = try entry(at: path + [.key(key)])
    let isAround = try isEnclosed(path)
    let isEnclosed = isAround || !mapping.isBlock
    let value = try text(of: new.value, new.key, like: nil, isEnclosed: isEnclosed)
    replace(
      entry.keyRange.lowerBound..<entry.end, by: written(new.key, isEnclosed: isEnclosed) + ": " + value)
  }

  // MARK: - Keys with lines of their own

  private func lines(of entry: YAMLNode.Entry, at column: Int) throws(DocumentError) -> String {
    guard let lines = YAMLText.lines(of: entry, at: column) else { throw .notPossible }
    return text((lines, 0), at: 0)
  }

  private mutating func change(_ entry: YAMLNode.Entry, to value: YAMLNode) throws(DocumentError) {
    let old = entry.value
    // Quotes and the comment behind a text in one line stay what they are.
    if !old.isBlock, old.form != .block, !old.range.isEmpty, !value.hasParts {
      return replace(old.range, by: try text(of: value, entry.key, like: old, isEnclosed: false))
    }
    let column = column(of: entry.keyRange.lowerBound)
    let text = try lines(of: YAMLNode.Entry(entry.key, value), at: column)
    let name = String(repeating: " ", count: column) + YAMLText.scalar(entry.key, isEnclosed: false) + ":"
    let place = try afterColon(of: entry)
    replace(
      place..<max(place, old.range.upperBound),
      by: String(decoding: text.utf8.dropFirst(name.utf8.count).dropLast(newline.utf8.count), as: UTF8.self)
        + (value.hasParts ? "" : headerComment(of: old)))
  }

  /// The comment behind the mark of a text with lines of its own, with its spaces; empty without one.
  private func headerComment(of node: YAMLNode) -> String {
    guard node.form == .block, node.text != nil, !node.range.isEmpty else { return "" }
    let start = node.range.lowerBound
    let rest = lines(in: start..<lineEnd(start)).first?.drop { $0 != " " } ?? ""
    return rest.contains("#") ? String(rest) : ""
  }

  private mutating func removeEntry(
    at place: Int, of entries: [YAMLNode.Entry], _ mapping: YAMLNode, _ path: [YAMLNode.Step]
  ) throws(DocumentError) {
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

  private mutating func append(
    _ entry: YAMLNode.Entry, to entries: [YAMLNode.Entry]
  ) throws(DocumentError) {
    guard let first = entries.first, let last = entries.last else { throw .notPossible }
    let column = column(of: first.keyRange.lowerBound)
    var place = lineEnd(max(last.end, try afterColon(of: last)))
    while place < bytes.count, isComment(lineAt: place, in: (column + 1)...) { place = lineEnd(place) }
    insertLines(try lines(of: entry, at: column), at: place)
  }

  // MARK: - Keys in braces

  private mutating func setInLine(
    _ key: String, to value: YAMLNode?, of mapping: YAMLNode, _ place: Int?
  ) throws(DocumentError) {
    let entries = mapping.entries ?? []
    switch (place, value) {
    case (let place?, let value?):
      let old = entries[place].value
      let text = try text(of: value, key, like: old, isEnclosed: true)
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
      let text = try text(of: value, key, like: nil, isEnclosed: true)
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

  /// Whether there is a comment between an entry in braces and its neighbors.
  private func hasComment(around place: Int, in entries: [YAMLNode.Entry]) -> Bool {
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

  // MARK: - New texts

  /// Gives a part a new text.
  mutating func rewrite(_ path: [YAMLNode.Step], as value: YAMLNode) throws(DocumentError) {
    guard root != nil, let step = path.last else {
      if let root, json != nil {
        return replace(root.range, by: try enclosedText(of: value, inPlaceOf: root, ""))
      }
      guard let entries = value.entries,
        let lines = entries.isEmpty ? [] : YAMLText.lines(of: value, at: 0)
      else { throw .notPossible }
      return replace(0..<bytes.count, by: text((lines, 0), at: 0))
    }
    let old = try node(at: path)
    if try isEnclosed(path) {
      let key = if case .key(let key) = step { key } else { "" }
      let text = try enclosedText(of: value, inPlaceOf: old, key)
      return replace(old.range, by: old.range.isEmpty ? " " + text : text)
    }
    guard case .index(let index) = step else { return try change(try entry(at: path).entry, to: value) }
    let dash = try dash(ofElementAt: index, in: try node(at: path.dropLast()))
    guard let lines = YAMLText.item(value, at: column(of: dash)) else { throw .notPossible }
    replaceLines(lineStart(dash)..<lineEnd(max(dash, old.range.upperBound)), by: text((lines, 0), at: 0))
  }
}

extension YAMLNode.Entry {
  /// The end of its value, or of its key.
  fileprivate var end: Int { max(keyRange.upperBound, value.range.upperBound) }
}
