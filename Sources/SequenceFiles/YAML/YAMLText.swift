package enum YAMLText {
  // MARK: - Lines

  /// The lines of a block, with a list in it two columns deeper; `nil` as for `inLine`.
  ///
  /// - Parameter column: the column of the block, from 0.
  static func lines(of node: YAMLNode, at column: Int) -> [String]? {
    guard node.anchor == nil else { return nil }
    if let elements = node.elements, !elements.isEmpty {
      return joined(elements.map { item($0, at: column) })
    }
    if let entries = node.entries, !entries.isEmpty {
      return joined(entries.map { lines(of: $0, at: column) })
    }
    return inLine(node, isEnclosed: false).map { [String(repeating: " ", count: column) + $0] }
  }

  static func lines(of entry: YAMLNode.Entry, at column: Int) -> [String]? {
    let name = String(repeating: " ", count: column) + scalar(entry.key, isEnclosed: false) + ":"
    let isListOfScalars = entry.value.elements?.allSatisfy { $0.text != nil } ?? false
    guard entry.value.hasParts, !isListOfScalars else {
      return inLine(entry.value, isEnclosed: false).map { [name + " " + $0] }
    }
    return lines(of: entry.value, at: column + 2).map { [name] + $0 }
  }

  /// The lines of a node as an element of a list whose dashes are in a column.
  static func item(_ node: YAMLNode, at column: Int) -> [String]? {
    guard var lines = lines(of: node, at: column + 2) else { return nil }
    lines[0] =
      String(repeating: " ", count: column) + "- " + String(lines[0].unicodeScalars.dropFirst(column + 2))
    return lines
  }

  private static func joined(_ parts: [[String]?]) -> [String]? {
    let known = parts.compactMap(\.self)
    return known.count == parts.count ? Array(known.joined()) : nil
  }

  // MARK: - One line

  /// The text of a node in one line, in brackets and braces; `nil` if an anchor or an alias is in it.
  static func inLine(_ node: YAMLNode, isEnclosed: Bool = true) -> String? {
    guard node.alias == nil, node.anchor == nil else { return nil }
    switch node.content {
    case .scalar(let text): return scalar(text, isEnclosed: isEnclosed)
    case .list(let elements):
      let texts = elements.compactMap { inLine($0) }
      return texts.count == elements.count ? "[" + texts.joined(separator: ", ") + "]" : nil
    case .mapping(let entries):
      let texts = entries.compactMap { entry in
        inLine(entry.value).map { scalar(entry.key, isEnclosed: true) + ": " + $0 }
      }
      guard texts.count == entries.count else { return nil }
      return texts.isEmpty ? "{}" : "{ " + texts.joined(separator: ", ") + " }"
    }
  }

  /// A text as a scalar, without quotes if they aren't needed.
  ///
  /// - Parameters:
  ///   - isEnclosed: whether it is in brackets or braces, whose characters need quotes there.
  ///   - former: the first byte of the scalar in whose place it comes, whose quotes it gets.
  static func scalar(_ text: String, isEnclosed: Bool, like former: UInt8? = nil) -> String {
    switch former {
    case UInt8(ascii: "\""): return quoted(text)
    case UInt8(ascii: "'") where text.unicodeScalars.allSatisfy(isPrintable):
      let doubled = text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }
      return "'" + doubled.joined() + "'"
    default: return isPlain(text, isEnclosed: isEnclosed) ? text : quoted(text)
    }
  }

  private static func isPlain(_ text: String, isEnclosed: Bool) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, first != " ", last != " ", last != ":",
      !"-?:,[]{}#&*!|>'\"%@`=<~.".unicodeScalars.contains(first)
    else { return false }
    // A mark behind it, as in the emoji of a key, makes one character of them, but YAML compares code points.
    let isEnded = zip(scalars, scalars.dropFirst()).contains {
      $0 == ":" && $1 == " " || $0 == " " && $1 == "#"
    }
    guard !isEnded else { return false }
    // Other programs take these for something else than a text. Ours writes the words true and false for itself.
    guard !["null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased()) else { return false }
    return scalars.allSatisfy { scalar in
      if isEnclosed, ",[]{}:".unicodeScalars.contains(scalar) { return false }
      return isPrintable(scalar)
    }
  }

  /// Whether a character can be written as it is, in one line.
  ///
  /// Source: YAML 1.1, section 4.1.1, without line breaks and the byte order mark.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2028, 0x2029, 0xFEFF: false
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// A character as it is written between double quotes.
  package static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    default:
      guard !isPrintable(scalar) else { return String(scalar) }
      let length = scalar.value <= 0xFF ? 2 : scalar.value <= 0xFFFF ? 4 : 8
      let letter = length == 2 ? "x" : length == 4 ? "u" : "U"
      return "\\\(letter)" + digits(scalar, length).uppercased()
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\n" ? "\\n" : $0 == "\t" ? "\\t" : escaped($0) }.joined() + "\""
  }

  /// A text as a string of JSON, which is one of YAML, too.
  static func json(_ text: String) -> String {
    let parts = text.unicodeScalars.map { scalar in
      if scalar == "\n" { return "\\n" }
      // Every other character that isn't printable has at most four digits.
      return isPrintable(scalar) ? escaped(scalar) : "\\u" + digits(scalar, 4)
    }
    return "\"" + parts.joined() + "\""
  }

  /// The hexadecimal number of a character.
  private static func digits(_ scalar: Unicode.Scalar, _ length: Int) -> String {
    let digits = String(scalar.value, radix: 16)
    return String(repeating: "0", count: length - digits.count) + digits
  }
}
