import CSequenceLinux
import Glibc

/// Returns a text in the user's language.
///
/// - Parameter text: the text in English, the same at each call: xgettext makes the template of the catalogs from the
///   source.
package func translated(_ text: String) -> String {
  Language.inLocale(or: text) {
    unsafe text.withCString { key in unsafe dgettext(Language.domain, key).map { unsafe String(cString: $0) }
    }
  }
}

/// Returns a text in the user's language with one place, `{}`, for a part.
package func translated(_ text: String, _ part: String) -> String {
  filled(translated(text)) { _ in part }
}

/// Returns a text in the user's language with several places, such as `{title}`.
package func translated(_ text: String, _ parts: KeyValuePairs<String, String>) -> String {
  filled(translated(text)) { name in parts.first { $0.key == name }?.value ?? "" }
}

/// Returns a text with a number in the form that the user's language has for it, such as `1 card` or `3 cards`.
///
/// - Parameters:
///   - one: the text for 1.
///   - many: the text for all other numbers; `{}` is the number.
///   - parts: the texts in other places.
package func plural(
  _ one: String, _ many: String, count: Int, _ parts: KeyValuePairs<String, String> = [:]
) -> String {
  let text = Language.inLocale(or: count == 1 ? one : many) {
    unsafe one.withCString { one in
      unsafe many.withCString { many in
        unsafe dngettext(Language.domain, one, many, UInt(max(0, count))).map { unsafe String(cString: $0) }
      }
    }
  }
  return filled(text) { name in
    name.isEmpty ? String(count) : parts.first { $0.key == name }?.value ?? ""
  }
}

func filled(_ text: String, _ part: (String) -> String) -> String {
  // Arrays of bytes, because other generic types take a part of the run time of a short command.
  let bytes = Array(text.utf8)
  var filled: [UInt8] = []
  var rest = 0
  while let open = index(of: UInt8(ascii: "{"), in: bytes, from: rest),
    let close = index(of: UInt8(ascii: "}"), in: bytes, from: open)
  {
    filled += bytes[rest..<open]
    let name = open + 1 == close ? "" : String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
    filled += Array(part(name).utf8)
    rest = close + 1
  }
  return String(decoding: filled + bytes[rest...], as: UTF8.self)
}

private func index(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
  var index = start
  while index < bytes.count {
    if bytes[index] == byte { return index }
    index += 1
  }
  return nil
}

/// The language of the texts that people read, which `LC_ALL`, `LC_MESSAGES`, `LANG` and `LANGUAGE` choose.
package enum Language {
  /// The name of the catalogs of this installation, `sequence-timer.mo` in `share/locale/LANGUAGE/LC_MESSAGES`.
  package static let domain: String = {
    let domain = "sequence-timer"
    if let folder = catalogs {
      // Both fail without memory only, and texts are English then.
      unsafe bindtextdomain(domain, folder)
      unsafe bind_textdomain_codeset(domain, "UTF-8")
    }
    return domain
  }()

  private static var catalogs: String? {
    do {
      return try sharedPaths(of: "locale").first { unsafe access($0, X_OK) == 0 }
    } catch {
      // Without the path of the program, there is no installation, and texts are English.
      return nil
    }
  }

  /// The locale of the texts; `nil` for English.
  ///
  /// The process keeps its own locale, so that the texts of libraries, which logs have, stay English.
  nonisolated(unsafe) private static let locale: locale_t? = {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let name = names.lazy.compactMap { unsafe getenv($0).map { unsafe String(cString: $0) } }
      .first { !$0.isEmpty }
    guard let name, name != "C", name != "POSIX" else { return nil }
    return unsafe newlocale(1 << LC_MESSAGES, "", nil)
  }()

  /// The code of the language of the texts, such as `pt-BR`; `nil` for English.
  package static let code: String? = {
    // The translation of an empty text is the head of the catalog.
    let head = lookUp("").split(separator: "\n").first { $0.hasPrefix("Language: ") }
    return head.map { String($0.dropFirst("Language: ".count)).replacing("_", with: "-") }
  }()

  /// Whether the clocks of the user's locale have 12 hours (`LC_TIME`).
  package static let hasHalfDays = localeInfo(LC_TIME, nl_item(T_FMT)).contains { "rpI".contains($0) }

  /// The decimal point of the user's locale (`LC_NUMERIC`).
  package static let decimalPoint = localeInfo(LC_NUMERIC, nl_item(RADIXCHAR))

  private static func localeInfo(_ category: Int32, _ item: nl_item) -> String {
    guard let locale = unsafe newlocale(1 << category, "", nil) else { return "" }
    defer { unsafe freelocale(locale) }
    return unsafe nl_langinfo_l(item, locale).map { unsafe String(cString: $0) } ?? ""
  }

  /// Looks up a text in the catalogs of the installation, and then in those of the C library.
  static func lookUp(_ text: String) -> String {
    inLocale(or: text) {
      unsafe text.withCString { key in
        guard let own = unsafe dgettext(domain, key) else { return nil }
        return unsafe (own == key ? dgettext("libc", key) : own).map { unsafe String(cString: $0) }
      }
    }
  }

  /// Looks up a text in that locale; without a locale, the text stays English.
  fileprivate static func inLocale(or text: String, _ lookUp: () -> String?) -> String {
    guard let locale = unsafe locale else { return text }
    let former = unsafe uselocale(locale)
    defer { unsafe uselocale(former) }
    return lookUp() ?? text
  }
}

/// Returns a time of day as clocks of the user's locale show it, such as `07:52` or `7:52 AM`.
package func clockTime(hour: Int, minute: Int) -> String {
  let minutes = (minute < 10 ? ":0" : ":") + String(minute)
  guard Language.hasHalfDays else { return (hour < 10 ? "0" : "") + String(hour) + minutes }
  let clock = String((hour + 11) % 12 + 1) + minutes
  return hour < 12 ? translated("{} AM", clock) : translated("{} PM", clock)
}
