import CTOML

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
}
