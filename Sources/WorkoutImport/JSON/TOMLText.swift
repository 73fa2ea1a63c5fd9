import CSequenceTOML

/// TOML, read by toml++.
enum TOMLText {
  /// How many dots a text may have; twice as many still do no harm.
  ///
  /// Each can be a table in a table, and toml++ bounds the depth of values only: a key of many dots would take all of
  /// the stack.
  private static let mostDots = 5000

  /// The same as JSON.
  ///
  /// - Throws: `ImportError` with the line of what is wrong.
  static func json(of text: String) throws(ImportError) -> String {
    guard text.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= mostDots else {
      throw ImportError("it has more than \(mostDots) dots, which no configuration needs")
    }
    try requireNames(text)
    var text = text
    let result = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        // An empty text has no address.
        unsafe bytes.baseAddress.map { unsafe ctoml_read($0, bytes.count) } ?? ctoml_read("", 0)
      }
    }
    defer { unsafe ctoml_free(result) }
    if let json = unsafe result.json { return unsafe String(cString: json) }
    let reason = unsafe result.error.map { unsafe String(cString: $0) } ?? "it cannot be read"
    throw unsafe ImportError("this is not TOML", because: reason, line: result.line)
  }

  /// Refuses a table without a name that begins as names do: toml++ 3.3 relies on it without looking.
  private static func requireNames(_ text: String) throws(ImportError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let scalars = line.unicodeScalars.drop { $0.properties.isWhitespace }
      guard scalars.first == "[" else { continue }
      // One bracket, or two for a list of tables.
      var name = scalars.dropFirst().drop { $0.properties.isWhitespace }
      if name.first == "[" { name = name.dropFirst().drop { $0.properties.isWhitespace } }
      guard let first = name.first, first.isASCII, first.properties.isAlphabetic || isOther(first) else {
        throw ImportError("this is not TOML", because: "a table has no name", line: index + 1)
      }
    }
  }

  /// Whether a name may begin with it, though it is no letter, or it ends what has none, which toml++ refuses itself.
  private static func isOther(_ scalar: Unicode.Scalar) -> Bool {
    "0"..."9" ~= scalar || ["_", "-", "\"", "'", "]"].contains(scalar)
  }
}
