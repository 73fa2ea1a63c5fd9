enum JSONEscapes {
  /// Replaces surrogate pairs such as `\ud83c\udf55` by the YAML escape `\U0001F355`.
  ///
  /// Stops at the first bytes that are not JSON, because in other YAML such letters may stand for themselves.
  /// A line of a string that becomes shorter is padded with spaces at its end or after the string, where YAML
  /// ignores them, so that positions in messages stay right.
  ///
  /// - Complexity: O(bytes).
  static func replaced(in bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(backslash), let first = bytes.first(where: { !isSpace($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return bytes }
    let (result, rest) = converted(bytes)
    return result + rest
  }

  /// Whether a text has nothing but strings, numbers, brackets and other parts of JSON.
  ///
  /// - Complexity: O(bytes).
  static func isJSON(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { !isSpace($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return false }
    return converted(bytes).rest.isEmpty
  }

  /// The converted beginning that is JSON, and the rest.
  private static func converted(_ bytes: [UInt8]) -> (result: [UInt8], rest: ArraySlice<UInt8>) {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == quote {
        takeString(&rest, into: &result)
      } else if isSpace(byte) || "{}[],:".utf8.contains(byte) {
        result.append(byte)
        rest.removeFirst()
      } else if let end = endOfLiteral(rest) {
        result += rest[..<end]
        rest = rest[end...]
      } else {
        break
      }
    }
    return (result, rest)
  }

  private static let backslash = UInt8(ascii: "\\")
  private static let quote = UInt8(ascii: "\"")

  private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

  private static func takeString(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
    result.append(rest.removeFirst())
    var saved = 0
    while let byte = rest.popFirst() {
      if byte == backslash, let scalar = pair(rest) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += Array("\\U".utf8) + Array(repeating: UInt8(ascii: "0"), count: 8 - digits.utf8.count)
        result += digits.utf8
        rest = rest.dropFirst(11)
        saved += 2
        continue
      }
      switch byte {
      case quote:
        result.append(byte)
        result += Array(repeating: UInt8(ascii: " "), count: saved)
        return
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        result += Array(repeating: UInt8(ascii: " "), count: saved)
        result.append(byte)
        saved = 0
      case backslash:
        result.append(byte)
        if let escaped = rest.popFirst() { result.append(escaped) }
      default: result.append(byte)
      }
    }
    // A string without an end gets no spaces: they would be behind the last line.
  }

  /// Returns the character of a pair of escapes whose first backslash was already removed.
  private static func pair(_ rest: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let units = Array(rest.prefix(11))
    guard units.count == 11, units[0] == UInt8(ascii: "u"), units[5] == backslash,
      units[6] == UInt8(ascii: "u"), let high = unit(units[1...4]), let low = unit(units[7...10]),
      (0xD800...0xDBFF).contains(high), (0xDC00...0xDFFF).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private static func unit(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns the end of a number, `true`, `false` or `null`; `nil` for anything else, such as plain YAML
  /// text.
  private static func endOfLiteral(_ rest: ArraySlice<UInt8>) -> Int? {
    let word = rest.prefix { !isSpace($0) && !",]}".utf8.contains($0) }
    let isNumber = word.allSatisfy { "+-.0123456789eE".utf8.contains($0) }
    guard isNumber || ["true", "false", "null"].contains(String(decoding: word, as: UTF8.self)) else {
      return nil
    }
    guard let next = rest[word.endIndex...].first(where: { !isSpace($0) }), ",]}".utf8.contains(next) else {
      return nil
    }
    return word.endIndex
  }
}

/// The notation of the scalars of a JSON text: YAML's values are texts, and JSON's may be numbers and words.
struct JSONStyle {
  /// Whether scalars are in quotes, by their keys and texts.
  private var known: [Place: Bool] = [:]

  private struct Place: Hashable {
    let key: String
    /// `nil` for the last scalar of the key.
    let text: String?
  }

  init(_ root: YAMLNode?) {
    if let root { learn(root, "") }
  }

  private mutating func learn(_ node: YAMLNode, _ key: String) {
    switch node.content {
    case .scalar(let text):
      known[Place(key: key, text: text)] = node.form == .enclosed
      known[Place(key: key, text: nil)] = node.form == .enclosed
    case .list(let nodes): for node in nodes { learn(node, key) }
    case .mapping(let entries): for entry in entries { learn(entry.value, entry.key) }
    }
  }

  /// The text of a value; `nil` if it has an anchor or an alias, which JSON has not.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - old: the value in whose place it comes.
  ///   - indentation: the spaces before it, if each part gets a line; `nil` for one line.
  func text(
    of value: YAMLNode, _ key: String, like old: YAMLNode? = nil, at indentation: Int? = nil,
    _ newline: String = "\n"
  ) -> String? {
    let inner = indentation.map { $0 + 2 }
    let parts: [String?]
    let ends: (String, String)
    guard value.alias == nil, value.anchor == nil else { return nil }
    switch value.content {
    case .scalar(let text): return self.text(of: text, key, like: old)
    case .list(let elements):
      (parts, ends) = (elements.map { self.text(of: $0, key, at: inner, newline) }, ("[", "]"))
    case .mapping(let entries):
      parts = entries.map { entry in
        self.text(of: entry.value, entry.key, at: inner, newline).map {
          YAMLText.json(entry.key) + ": " + $0
        }
      }
      ends = ("{", "}")
    }
    let texts = parts.compactMap(\.self)
    guard texts.count == parts.count else { return nil }
    guard let indentation, !texts.isEmpty else { return ends.0 + texts.joined(separator: ", ") + ends.1 }
    func line(_ column: Int) -> String { newline + String(repeating: " ", count: column) }
    return ends.0 + line(indentation + 2) + texts.joined(separator: "," + line(indentation + 2))
      + line(indentation) + ends.1
  }

  private func text(of text: String, _ key: String, like old: YAMLNode?) -> String {
    let isLiteral = ["true", "false"].contains(text) || Int(text).map { String($0) == text } ?? false
    let isQuoted: Bool
    if old?.text == text {
      isQuoted = old?.form == .enclosed
    } else if let known = known[Place(key: key, text: text)] {
      isQuoted = known
    } else if !isLiteral {
      isQuoted = true
    } else if old?.text != nil {
      isQuoted = old?.form == .enclosed
    } else {
      isQuoted = known[Place(key: key, text: nil)] ?? ["title", "note"].contains(key)
    }
    return isQuoted ? YAMLText.json(text) : text
  }
}
