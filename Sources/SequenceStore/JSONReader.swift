/// Reads the JSON that this program writes, from the first byte to the last.
///
/// Foundation's decoder discovers the types at run time: that takes half of the run time of `status`, and 10 µs per
/// card. This reader refuses white space, which the program does not write, and skips unknown keys.
///
/// Source: RFC 8259.
package struct JSONReader {
  private let bytes: [UInt8]
  package private(set) var place = 0
  private var depth = 0

  /// Deep enough for any snapshot: a group takes four levels, and groups nest 16 deep.
  private static let deepestNesting = 96

  package struct Failure: Error {
    package let expected: String
    /// How many bytes lie before it.
    package let place: Int
    /// Whether the text is well-formed, and a newer program may have written it.
    package var isUnknown = false
  }

  package init(_ text: String) { bytes = Array(text.utf8) }

  package func failure(_ expected: String) -> Failure { Failure(expected: expected, place: place) }

  package func unknown(_ name: String) -> Failure {
    Failure(expected: "a \(name) that is known", place: place, isUnknown: true)
  }

  /// Reads an object; `member` has to read the value of each member, or to skip it.
  package mutating func object(_ member: (inout JSONReader, String) throws(Failure) -> Void) throws(Failure) {
    try list(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader throws(Failure) in
      let name = try reader.string()
      try reader.expect(UInt8(ascii: ":"))
      try member(&reader, name)
    }
  }

  /// Reads an array; `element` has to read each element.
  package mutating func array(_ element: (inout JSONReader) throws(Failure) -> Void) throws(Failure) {
    try list(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), element)
  }

  package mutating func integer() throws(Failure) -> Int64 {
    let begin = place
    if peek() == UInt8(ascii: "-") { place += 1 }
    while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    guard let number = Int64(String(decoding: bytes[begin..<place], as: UTF8.self)) else {
      throw failure("a whole number")
    }
    return number
  }

  package var isAtString: Bool { peek() == UInt8(ascii: "\"") }

  package mutating func boolean() throws(Failure) -> Bool {
    let value = peek() == UInt8(ascii: "t")
    for byte in (value ? "true" : "false").utf8 {
      guard peek() == byte else { throw failure("true or false") }
      place += 1
    }
    return value
  }

  package mutating func string() throws(Failure) -> String {
    try expect(UInt8(ascii: "\""))
    let begin = plainText()
    guard peek() != UInt8(ascii: "\\") else { return try escapedString(after: begin) }
    guard peek() != nil else { throw failure("the end of a string") }
    place += 1
    return String(decoding: begin, as: UTF8.self)
  }

  /// Reads a string that has no escapes, such as an id, as UTF-8.
  package mutating func plainString() throws(Failure) -> ArraySlice<UInt8> {
    try expect(UInt8(ascii: "\""))
    let text = plainText()
    try expect(UInt8(ascii: "\""))
    return text
  }

  package mutating func skip() throws(Failure) {
    switch peek() {
    case UInt8(ascii: "{"): try object { reader, _ throws(Failure) in try reader.skip() }
    case UInt8(ascii: "["): try array { reader throws(Failure) in try reader.skip() }
    case UInt8(ascii: "\""): _ = try string()
    default:
      let begin = place
      while let byte = peek(), !",]}".utf8.contains(byte) { place += 1 }
      guard place > begin else { throw failure("a value") }
    }
  }

  package func text(since begin: Int) -> String { String(decoding: bytes[begin..<place], as: UTF8.self) }

  package func end() throws(Failure) {
    guard place == bytes.count else { throw failure("the end") }
  }

  /// Reads up to the next escape, the end of the string, or that of the JSON.
  private mutating func plainText() -> ArraySlice<UInt8> {
    var end = place
    while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
    defer { place = end }
    return bytes[place..<end]
  }

  private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func expect(_ byte: UInt8) throws(Failure) {
    guard peek() == byte else { throw failure("a \(UnicodeScalar(byte))") }
    place += 1
  }

  private mutating func list(
    from first: UInt8, to last: UInt8, _ element: (inout JSONReader) throws(Failure) -> Void
  ) throws(Failure) {
    try expect(first)
    depth += 1
    guard depth <= JSONReader.deepestNesting else { throw failure("less nesting") }
    defer { depth -= 1 }
    if peek() == last {
      place += 1
      return
    }
    while true {
      try element(&self)
      guard peek() == UInt8(ascii: ",") else { return try expect(last) }
      place += 1
    }
  }

  /// The rest of a string, from its first escape on.
  private mutating func escapedString(after begin: ArraySlice<UInt8>) throws(Failure) -> String {
    var text = String(decoding: begin, as: UTF8.self)
    while true {
      text += String(decoding: plainText(), as: UTF8.self)
      guard let byte = peek() else { throw failure("the end of a string") }
      place += 1
      if byte == UInt8(ascii: "\"") { return text }
      text.unicodeScalars.append(try escape())
    }
  }

  private mutating func escape() throws(Failure) -> UnicodeScalar {
    guard let byte = peek() else { throw failure("an escape") }
    place += 1
    switch UnicodeScalar(byte) {
    case "\"", "\\", "/": return UnicodeScalar(byte)
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let unit = try codeUnit()
      guard (0xD800...0xDBFF).contains(unit) else { return try scalar(unit) }
      try expect(UInt8(ascii: "\\"))
      try expect(UInt8(ascii: "u"))
      let second = try codeUnit()
      guard (0xDC00...0xDFFF).contains(second) else { throw failure("the second half of a character") }
      return try scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    default: throw failure("an escape")
    }
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    guard place + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits") }
    place += 4
    return unit
  }

  private func scalar(_ value: UInt32) throws(Failure) -> UnicodeScalar {
    guard let scalar = UnicodeScalar(value) else { throw failure("a character") }
    return scalar
  }
}
