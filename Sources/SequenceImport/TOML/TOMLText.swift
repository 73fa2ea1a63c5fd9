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

  /// Returns the line of a value, such as `sessions[1].autostart`; `nil` if the text has no such value.
  static func line(of path: String, in text: String) -> Int? {
    var text = text
    let line = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        unsafe bytes.baseAddress.map { unsafe ctoml_line($0, bytes.count, path) } ?? 0
      }
    }
    return line > 0 ? line : nil
  }
}
