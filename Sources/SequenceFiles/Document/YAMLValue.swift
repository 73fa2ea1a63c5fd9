/// The meaning of a YAML text or of a part of it, for edits: without places, comments and quotes.
///
/// Aliases are not expanded, so that a value has the size of its text.
package indirect enum YAMLValue: Hashable, Sendable {
  case scalar(String)
  case list([YAMLValue])
  case mapping([Entry])
  case alias(String)
  /// A value that aliases repeat.
  case anchored(String, YAMLValue)

  /// A key with its value.
  package struct Entry: Hashable, Sendable {
    package let key: String
    package var value: YAMLValue

    package init(_ key: String, _ value: YAMLValue) { (self.key, self.value) = (key, value) }
  }

  /// A step from a value to a part of it.
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The value of a key; `nil` if it has none.
  package subscript(key: String) -> YAMLValue? {
    guard case .mapping(let entries) = unanchored else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The values of a list; `nil` if it is none.
  package var elements: [YAMLValue]? { if case .list(let elements) = unanchored { elements } else { nil } }

  /// The entries of a mapping; `nil` if it is none.
  package var entries: [Entry]? { if case .mapping(let entries) = unanchored { entries } else { nil } }

  /// The text of a scalar; `nil` if it is none.
  package var text: String? { if case .scalar(let text) = unanchored { text } else { nil } }

  /// The value without the name that aliases use.
  private var unanchored: YAMLValue { if case .anchored(_, let value) = self { value } else { self } }

  /// The part at the end of a path; `nil` if there is none.
  package func part(at path: some Collection<Step>) -> YAMLValue? {
    guard let step = path.first else { return self }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.mapping, .key(let key)): return self[key]?.part(at: rest)
    case (.list(let elements), .index(let index)) where elements.indices.contains(index):
      return elements[index].part(at: rest)
    case (.anchored(_, let value), _): return value.part(at: path)
    default: return nil
    }
  }

  /// The value with another part at the end of a path; `nil` if there is no such part.
  func replacing(_ path: some Collection<Step>, by change: (YAMLValue) -> YAMLValue?) -> YAMLValue? {
    guard let step = path.first else { return change(self) }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.mapping(var entries), .key(let key)):
      guard let place = entries.firstIndex(where: { $0.key == key }),
        let value = entries[place].value.replacing(rest, by: change)
      else { return nil }
      entries[place].value = value
      return .mapping(entries)
    case (.list(var elements), .index(let index)) where elements.indices.contains(index):
      guard let element = elements[index].replacing(rest, by: change) else { return nil }
      elements[index] = element
      return .list(elements)
    case (.anchored(let name, let value), _):
      return value.replacing(path, by: change).map { .anchored(name, $0) }
    default: return nil
    }
  }

  /// The mapping with a key set, at its place or as the last one, or without it for `nil`.
  ///
  /// - Returns: `nil` if it is no mapping.
  func setting(_ key: String, to value: YAMLValue?) -> YAMLValue? {
    if case .anchored(let name, let inner) = self {
      return inner.setting(key, to: value).map { .anchored(name, $0) }
    }
    guard case .mapping(var entries) = self else { return nil }
    switch (entries.firstIndex { $0.key == key }, value) {
    case (let place?, let value?): entries[place].value = value
    case (let place?, nil): entries.remove(at: place)
    case (nil, let value?): entries.append(Entry(key, value))
    case (nil, nil): break
    }
    return .mapping(entries)
  }
}

extension YAMLValue {
  /// The value with the parts in the places of their aliases, and without anchors and ids, so that it can be repeated.
  ///
  /// - Parameter root: the value of the whole text, in which the anchors are.
  /// - Returns: `nil` if an alias has no anchor.
  package func copy(in root: YAMLValue) -> YAMLValue? {
    switch self {
    case .scalar: return self
    case .alias(let name): return root.anchored(as: name)?.copy(in: root)
    case .anchored(_, let value): return value.copy(in: root)
    case .list(let elements):
      let copies = elements.compactMap { $0.copy(in: root) }
      return copies.count == elements.count ? .list(copies) : nil
    case .mapping(let entries):
      let kept = entries.filter { $0.key != "id" }
      let copies = kept.compactMap { entry in entry.value.copy(in: root).map { Entry(entry.key, $0) } }
      return copies.count == kept.count ? .mapping(copies) : nil
    }
  }

  /// The value that has the name of an alias.
  private func anchored(as name: String) -> YAMLValue? {
    switch self {
    case .scalar, .alias: nil
    case .anchored(let own, let value): own == name ? value : value.anchored(as: name)
    case .list(let elements): elements.lazy.compactMap { $0.anchored(as: name) }.first
    case .mapping(let entries): entries.lazy.compactMap { $0.value.anchored(as: name) }.first
    }
  }
}

/// A value as text.
extension YAMLValue {
  /// The text in one line, in brackets and braces; `nil` if a name of an anchor or an alias is in it.
  func inLine(isEnclosed: Bool = true) -> String? {
    switch self {
    case .scalar(let text): return YAMLValue.written(text, isEnclosed: isEnclosed)
    case .list(let elements):
      let texts = elements.compactMap { $0.inLine() }
      return texts.count == elements.count ? "[" + texts.joined(separator: ", ") + "]" : nil
    case .mapping(let entries):
      let texts = entries.compactMap { entry in
        entry.value.inLine().map { YAMLValue.written(entry.key, isEnclosed: true) + ": " + $0 }
      }
      guard texts.count == entries.count else { return nil }
      return texts.isEmpty ? "{}" : "{ " + texts.joined(separator: ", ") + " }"
    case .alias, .anchored: return nil
    }
  }

  /// The lines of a block, with a list in it two columns deeper; `nil` as for `inLine`.
  ///
  /// - Parameter column: the column of the block, from 0.
  func lines(at column: Int) -> [String]? {
    let indentation = String(repeating: " ", count: column)
    switch self {
    case .list(let elements) where !elements.isEmpty:
      return YAMLValue.joined(elements.map { $0.item(at: column) })
    case .mapping(let entries) where !entries.isEmpty:
      return YAMLValue.joined(entries.map { $0.lines(at: column) })
    default: return inLine(isEnclosed: false).map { [indentation + $0] }
    }
  }

  /// The lines of all parts; `nil` if one has none.
  private static func joined(_ parts: [[String]?]) -> [String]? {
    let known = parts.compactMap(\.self)
    return known.count == parts.count ? Array(known.joined()) : nil
  }

  /// The lines of the value as an element of a list whose dashes are in a column.
  func item(at column: Int) -> [String]? {
    guard var lines = lines(at: column + 2) else { return nil }
    lines[0] =
      String(repeating: " ", count: column) + "- " + String(lines[0].unicodeScalars.dropFirst(column + 2))
    return lines
  }

  /// A text as a scalar, without quotes if they aren't needed.
  ///
  /// - Parameters:
  ///   - isEnclosed: whether it is in brackets or braces, whose characters need quotes there.
  ///   - former: the first byte of the scalar in whose place it comes, whose quotes it gets.
  static func written(_ text: String, isEnclosed: Bool, like former: UInt8? = nil) -> String {
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
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let length = scalar.value <= 0xFF ? 2 : scalar.value <= 0xFFFF ? 4 : 8
      let letter = length == 2 ? "x" : length == 4 ? "u" : "U"
      return "\\\(letter)" + String(repeating: "0", count: length - digits.count) + digits
    }
  }

  /// A text as a string of JSON, which is one of YAML, too.
  static func quotedJSON(_ text: String) -> String {
    let parts = text.unicodeScalars.map { scalar in
      if scalar == "\n" { return "\\n" }
      guard !isPrintable(scalar) else { return escaped(scalar) }
      // Every character that needs it has at most four digits.
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + parts.joined() + "\""
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\n" ? "\\n" : $0 == "\t" ? "\\t" : escaped($0) }.joined() + "\""
  }
}

extension YAMLValue.Entry {
  /// The lines of the entry in a mapping whose keys are in a column.
  func lines(at column: Int) -> [String]? {
    let name = String(repeating: " ", count: column) + YAMLValue.written(key, isEnclosed: false) + ":"
    guard value.hasParts else { return value.inLine(isEnclosed: false).map { [name + " " + $0] } }
    return value.lines(at: column + 2).map { [name] + $0 }
  }
}

extension YAMLValue {
  /// Whether a list or a mapping is in it, so that it gets lines of its own.
  var hasParts: Bool {
    switch self {
    case .list(let elements): elements.contains(where: \.isStructure)
    case .mapping(let entries): entries.contains(where: \.value.isStructure)
    case .scalar, .alias, .anchored: false
    }
  }

  private var isStructure: Bool {
    switch self {
    case .list, .mapping: true
    case .scalar, .alias, .anchored: false
    }
  }
}
