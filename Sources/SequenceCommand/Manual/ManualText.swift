/// Text of a manual page, in roff with `man` macros.
enum ManualText {
  /// Joins the parts of a page; the first paragraph of a section needs no macro.
  static func page(_ parts: [String]) -> String {
    var lines: [Substring] = []
    for line in parts.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false) {
      if line == ".PP", lines.last?.hasPrefix(".S") == true { continue }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// The head of a page, with the NAME section that `apropos` reads.
  static func head(_ section: Int, name: String = "sequence", summary: String) -> String {
    """
    .\\" Made by `sequence manual \(name).\(section)`.
    .TH \(text(name.uppercased())) \(section) \(SequenceProgram.date) "Sequence \(SequenceProgram.version)" "Sequence"
    .SH NAME
    \(text(name)) \\- \(text(summary))
    """
  }

  /// The keys of a file, with a heading for each of their places.
  static func list(_ keys: [(place: String, key: String, meaning: String)], of places: [String]) -> String {
    places.map { place in
      let entries = keys.filter { $0.place == place }.map { entry(text($0.key), $0.meaning) }
      return ([".SS \(text(place.prefix(1).uppercased() + place.dropFirst()))"] + entries).joined(
        separator: "\n")
    }.joined(separator: "\n")
  }

  /// Escapes a text for roff.
  ///
  /// Text between two backquotes becomes bold, and text between two asterisks italic. Links become their texts.
  ///
  /// - Parameter isExample: whether each hyphen stays a minus, so that the text can be pasted.
  static func text(_ text: String, isExample: Bool = false) -> String {
    var (isBold, isItalic) = (false, false)
    var previous: Unicode.Scalar = " "
    let inline = (isExample ? text : withoutLinks(text)).unicodeScalars.map { scalar -> String in
      defer { previous = scalar }
      switch scalar {
      case "`":
        isBold.toggle()
        return isBold ? "\\fB" : "\\fR"
      case "*" where !isBold && !isExample:
        isItalic.toggle()
        return isItalic ? "\\fI" : "\\fR"
      case "\\": return "\\e"
      // Roff may show a plain hyphen as another character, which breaks options that are copied.
      case "-": return isBold || isExample || !previous.properties.isAlphabetic ? "\\-" : "-"
      case "'": return "\\(aq"
      case "^": return "\\(ha"
      case "~": return "\\(ti"
      default: return scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
    // Roff reads a line that begins with a dot as a macro.
    return inline.hasPrefix(".") ? "\\&" + inline : inline
  }

  /// A text with the texts of its links to other pages, which a manual page can't follow.
  private static func withoutLinks(_ text: String) -> String {
    guard let middle = text.firstRange(of: "](") else { return text }
    guard let begin = text[..<middle.lowerBound].lastIndex(of: "["),
      let end = text[middle.upperBound...].firstIndex(of: ")")
    else { return text[..<middle.upperBound] + withoutLinks(String(text[middle.upperBound...])) }
    let label = text[text.index(after: begin)..<middle.lowerBound]
    return text[..<begin] + label + withoutLinks(String(text[text.index(after: end)...]))
  }

  static func bold(_ word: String) -> String { text("`\(word)`") }

  static func italic(_ word: String) -> String { "\\fI\(text(word))\\fR" }

  /// An entry of a list with a tag.
  static func entry(_ tag: String, _ description: String) -> String {
    ".TP\n\(tag)\n\(text(description))"
  }

  static func paragraph(_ words: String) -> String { ".PP\n" + text(words) }

  /// Lines that are not filled.
  static func example(_ lines: String) -> String {
    let escaped = lines.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      text(String(line), isExample: true)
    }
    return ".PP\n.RS 4\n.nf\n\(escaped.joined(separator: "\n"))\n.fi\n.RE"
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
