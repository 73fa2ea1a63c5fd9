import CSequenceGLib

/// Decoding of other programs' text files.
enum ForeignText {
  /// Decodes text in UTF-8, otherwise in Windows-1252, which is written by programs that declare no encoding.
  ///
  /// - Parameter report: records the use of Windows-1252.
  /// - Throws: `ImportError` if the bytes are not text.
  static func decode(_ bytes: [UInt8], _ report: inout ImportReport) throws(ImportError) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ImportError("this is UTF-16", remedy: "save the file as UTF-8")
    }
    guard !bytes.contains(0) else {
      throw ImportError(
        "this is a binary file", remedy: "export the workout as .zwo, .erg, .mrc or JSON")
    }
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard let text = windows1252(bytes) else {
      throw ImportError("this is neither UTF-8 nor Windows-1252", remedy: "save the file as UTF-8")
    }
    report.change("text in Windows-1252, now in UTF-8")
    return text
  }

  private static func windows1252(_ bytes: [UInt8]) -> String? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: gchar.self) { buffer in
        var length: gsize = 0
        // The reason is always the same, a byte that is undefined in Windows-1252, so no error is requested.
        guard
          let text = unsafe g_convert(
            buffer.baseAddress, gssize(buffer.count), "UTF-8", "WINDOWS-1252", nil, &length, nil)
        else { return nil }
        defer { unsafe g_free(text) }
        return unsafe String(
          decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
      }
    }
  }
}
