import CSequenceTOML

/// TOML, parsed by toml++.
enum TOMLText {
  /// The largest number of dots in a text; twice as many are still safe.
  ///
  /// Each dot can be a table in a table. toml++ limits the depth of values only, so a key with many dots
  /// would overflow the stack.
  private static let mostDots = 5000

  /// Converts TOML to JSON.
  ///
  /// - Throws: `ImportError` with the line of the mistake.
  static func json(of text: String) throws(ImportError) -> String {
    guard text.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= mostDots else {
      throw ImportError("the file has more than \(mostDots) dots")
    }
    try requireNames(text)
    var text = text
    let result = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        // The base address of an empty text is nil.
        unsafe bytes.baseAddress.map { unsafe ctoml_read($0, bytes.count) } ?? ctoml_read("", 0)
      }
    }
    defer { unsafe ctoml_free(result) }
    if let json = unsafe result.json { return unsafe String(cString: json) }
    let reason = unsafe result.error.map { unsafe String(cString: $0) } ?? "it cannot be read"
    throw unsafe ImportError("this is not TOML", because: reason, line: result.line)
  }

  /// Throws if the name of a table is missing or has an invalid first character; toml++ 3.3 relies on it
  /// unchecked.
  private static func requireNames(_ text: String) throws(ImportError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let scalars = line.unicodeScalars.drop { $0.properties.isWhitespace }
      guard scalars.first == "[" else { continue }
      // A table has one bracket, an array of tables two.
      var name = scalars.dropFirst().drop { $0.properties.isWhitespace }
      if name.first == "[" { name = name.dropFirst().drop { $0.properties.isWhitespace } }
      guard let first = name.first, first.isASCII, first.properties.isAlphabetic || isOther(first) else {
        throw ImportError("this is not TOML", because: "a table has no name", line: index + 1)
      }
    }
  }

  /// Returns whether a character other than a letter can begin a name, or is an end that toml++ rejects
  /// itself.
  private static func isOther(_ scalar: Unicode.Scalar) -> Bool {
    "0"..."9" ~= scalar || ["_", "-", "\"", "'", "]"].contains(scalar)
  }
}
