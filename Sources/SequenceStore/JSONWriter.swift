package import SequencePlatform

/// Writes the JSON that `JSONReader` reads, in one pass and without white space.
///
/// Its callers write the members of an object in sorted order. Foundation's encoder discovers the types at run time: that
/// took half of the instructions of `start`.
///
/// Source: RFC 8259.
package struct JSONWriter {
  private var bytes: [UInt8] = []

  /// Returns the JSON of a value, which `write` has to write.
  package static func text(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Writes an object; `members` has to write its members.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes an array; `elements` has to write its elements.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "["))
    elements(&self)
    bytes.append(UInt8(ascii: "]"))
  }

  package mutating func integer(_ number: Int64) {
    begin()
    bytes.append(contentsOf: String(number).utf8)
  }

  package mutating func boolean(_ value: Bool) {
    begin()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func string(_ text: String) {
    begin(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // A text without such bytes, as most are, is copied at once.
      guard unsafe utf8.contains(where: JSONWriter.isEscaped) else {
        unsafe bytes.append(contentsOf: utf8)
        return
      }
      unsafe utf8.forEach { byte in
        if JSONWriter.isEscaped(byte) {
          bytes.append(contentsOf: JSONWriter.escape(byte).utf8)
        } else {
          bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a member; `value` has to write its value.
  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    value(&self)
  }

  /// Writes a member, unless its value is `nil`.
  package mutating func member(_ name: String, _ number: Int64?) {
    if let number { member(name) { $0.integer(number) } }
  }

  package mutating func member(_ name: String, _ value: Bool?) {
    if let value { member(name) { $0.boolean(value) } }
  }

  package mutating func member(_ name: String, _ text: String?) {
    if let text { member(name) { $0.string(text) } }
  }

  /// Writes whole nanoseconds, unless it is `nil`.
  package mutating func member(_ name: String, _ duration: Duration?) { member(name, duration?.nanoseconds) }

  /// Writes whole microseconds, unless it is `nil`.
  package mutating func member(_ name: String, _ moment: Moment?) { member(name, moment?.microseconds) }

  package mutating func member(_ name: String, _ reading: ClockReading?) {
    guard let reading else { return }
    member(name) { json in
      json.object { json in
        json.member("boot", reading.boot)
        json.member("bootID", reading.bootID)
        json.member("wall", reading.wall)
      }
    }
  }

  /// Writes a list, unless it is empty.
  package mutating func member(_ name: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    member(name) { json in json.array { json in for text in texts { json.string(text) } } }
  }

  /// Writes a comma before an element or a member that isn't the first, and then a byte.
  private mutating func begin(_ byte: UInt8? = nil) {
    // A value ends with another byte, a string with its quotation mark.
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
    default: bytes.append(UInt8(ascii: ","))
    }
    if let byte { bytes.append(byte) }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0x8: "\\b"
    case 0xC: "\\f"
    case UInt8(ascii: "\n"): "\\n"
    case UInt8(ascii: "\r"): "\\r"
    case UInt8(ascii: "\t"): "\\t"
    default: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
    }
  }
}
