/// An action of the display that a key causes, or a report of the terminal.
enum DisplayKey: Equatable, Sendable {
  case toggle, count, next, skip, back, extend, shorten, leave
  case nextRun
  case redraw
  case help
  case focusGained
  case focusLost
  /// The color of the background, which the terminal was asked for.
  case background(TerminalColor)
  /// The terminal has named its kind, which is the answer to the last question.
  case answered
}

/// A decoder of the bytes from a terminal into keys.
///
/// A sequence may be split between reads at any byte. Sequences without a meaning here (arrows, function
/// keys, the mouse, pasted text, Alt with a letter) are skipped completely, so that no part of them is taken
/// for a key.
struct KeyReader: Sendable {
  private var state = State.ground

  init() {}

  private enum State: Equatable {
    /// Between sequences.
    case ground
    /// In a character of several bytes, with those so far.
    case character([UInt8])
    /// After ESC.
    case escape
    /// After an ESC that counted as the escape key. It may have been the beginning of a report of the terminal, whose
    /// rest is no keys.
    case escapeKey
    /// After ESC and intermediate bytes, before the final byte.
    case escapeIntermediate
    /// After ESC O, before the one byte that follows.
    case singleShift
    /// After ESC [, with the parameters so far.
    case control([UInt8])
    /// In a mouse report with this many bytes left.
    case mouse(left: Int)
    /// In a control string, until ESC \ or BEL, with its beginning so far.
    case string([UInt8])
    /// After ESC in a control string.
    case stringEscape([UInt8])
    /// In pasted text, after this many bytes of the end mark.
    case paste(matched: Int)
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// No sequence of a terminal has longer parameters; without a limit, input could fill the memory.
  private static let mostParameters = 32
  /// The report of a background, with the longest notation of a color, is shorter.
  private static let mostOfString = 40

  /// Whether a sequence has begun and is not complete.
  ///
  /// If nothing follows it for about 50 ms, it was the escape key: call `endSequence()`.
  var isAmidSequence: Bool {
    switch state {
    case .ground, .escapeKey, .paste: false
    case .character, .escape, .escapeIntermediate, .singleShift, .control, .mouse, .string, .stringEscape:
      true
    }
  }

  /// Whether the incomplete sequence has the beginning of an answer of the terminal, which nobody types.
  var isAmidAnswer: Bool {
    switch state {
    case .control(let parameters): [nil, UInt8(ascii: "?")].contains(parameters.first)
    case .string(let bytes), .stringEscape(let bytes): bytes.first == UInt8(ascii: "]")
    case .ground, .character, .escape, .escapeKey, .escapeIntermediate, .singleShift, .mouse, .paste: false
    }
  }

  /// Discards an incomplete sequence, except pasted text, which lasts until its end mark.
  ///
  /// - Returns: whether it was the escape key.
  mutating func endSequence() -> Bool {
    let isEscape = state == .escape
    if isAmidSequence { state = isEscape ? .escapeKey : .ground }
    return isEscape
  }

  mutating func keys(in bytes: some Sequence<UInt8>) -> [DisplayKey] {
    var keys: [DisplayKey] = []
    for byte in bytes {
      if let key = take(byte) { keys.append(key) }
    }
    return keys
  }

  private mutating func take(_ byte: UInt8) -> DisplayKey? {
    switch state {
    case .ground:
      switch byte {
      case 0x1B: state = .escape
      case 0xC2...0xF4: state = .character([byte])
      default: return KeyReader.key(byte)
      }
    case .character(let bytes): return inCharacter(byte, bytes)
    case .escape: afterEscape(byte)
    case .escapeKey:
      state = .ground
      guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") else { return take(byte) }
      afterEscape(byte)
    case .escapeIntermediate: if !(0x20...0x2F).contains(byte) { state = byte == 0x1B ? .escape : .ground }
    case .singleShift: state = byte == 0x1B ? .escape : .ground
    case .control(let parameters): return inControl(byte, parameters)
    case .mouse(let left): state = left > 1 ? .mouse(left: left - 1) : .ground
    case .string(let bytes): return inString(byte, bytes)
    case .stringEscape(let bytes):
      guard byte != UInt8(ascii: "\\") else { return afterString(bytes) }
      state = .string(bytes)
    case .paste(let matched): inPaste(byte, matched)
    }
    return nil
  }

  private mutating func inCharacter(_ byte: UInt8, _ bytes: [UInt8]) -> DisplayKey? {
    guard byte & 0xC0 == 0x80 else {
      // An incomplete character is no key; the byte after it may be one.
      state = .ground
      return take(byte)
    }
    let bytes = bytes + [byte]
    let length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
    guard bytes.count == length else {
      state = .character(bytes)
      return nil
    }
    state = .ground
    let letter = String(decoding: bytes, as: UTF8.self).lowercased()
    return KeyReader.letters[letter].flatMap(KeyReader.key)
  }

  private mutating func afterEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string([byte])
    case 0x20...0x2F: state = .escapeIntermediate
    default: state = .ground
    }
  }

  private mutating func inControl(_ byte: UInt8, _ parameters: [UInt8]) -> DisplayKey? {
    switch byte {
    case 0x1B: state = .escape
    case 0x20...0x3F:
      state = .control(parameters.count < KeyReader.mostParameters ? parameters + [byte] : parameters)
    case 0x40...0x7E: return afterControl(byte, parameters)
    // CAN and SUB end the sequence; other bytes are ignored.
    default: state = [0x18, 0x1A].contains(byte) ? .ground : .control(parameters)
    }
    return nil
  }

  private mutating func afterControl(_ byte: UInt8, _ parameters: [UInt8]) -> DisplayKey? {
    state = .ground
    switch (byte, parameters) {
    case (UInt8(ascii: "I"), []): return .focusGained
    case (UInt8(ascii: "O"), []): return .focusLost
    case (UInt8(ascii: "c"), _) where parameters.first == UInt8(ascii: "?"): return .answered
    case (UInt8(ascii: "M"), []): state = .mouse(left: 3)
    case (UInt8(ascii: "~"), Array("200".utf8)): state = .paste(matched: 0)
    default: break
    }
    return nil
  }

  private mutating func inString(_ byte: UInt8, _ bytes: [UInt8]) -> DisplayKey? {
    switch byte {
    case 0x1B: state = .stringEscape(bytes)
    case 0x07: return afterString(bytes)
    // CAN and SUB end an unterminated string.
    case 0x18, 0x1A: state = .ground
    default: state = .string(bytes.count < KeyReader.mostOfString ? bytes + [byte] : bytes)
    }
    return nil
  }

  private mutating func afterString(_ bytes: [UInt8]) -> DisplayKey? {
    state = .ground
    let start = Array("]11;".utf8)
    guard bytes.starts(with: start) else { return nil }
    return TerminalColor(report: String(decoding: bytes.dropFirst(start.count), as: UTF8.self))
      .map(DisplayKey.background)
  }

  private mutating func inPaste(_ byte: UInt8, _ matched: Int) {
    if byte == KeyReader.pasteEnd[matched] {
      state = matched + 1 == KeyReader.pasteEnd.count ? .ground : .paste(matched: matched + 1)
    } else {
      // ESC occurs only at the start of the mark, so only ESC can start it again.
      state = .paste(matched: byte == 0x1B ? 1 : 0)
    }
  }

  /// The letters that Russian, Ukrainian and Greek layouts have on the keys of Latin letters.
  private static let letters: [String: UInt8] = [
    "с": UInt8(ascii: "c"), "ψ": UInt8(ascii: "c"),
    "т": UInt8(ascii: "n"), "ν": UInt8(ascii: "n"),
    "ы": UInt8(ascii: "s"), "і": UInt8(ascii: "s"), "σ": UInt8(ascii: "s"),
    "и": UInt8(ascii: "b"), "β": UInt8(ascii: "b"),
    "й": UInt8(ascii: "q"),
  ]

  private static func key(_ byte: UInt8) -> DisplayKey? {
    switch byte {
    case UInt8(ascii: " "): .toggle
    case UInt8(ascii: "c"), UInt8(ascii: "C"): .count
    case UInt8(ascii: "n"), UInt8(ascii: "N"): .next
    case UInt8(ascii: "s"), UInt8(ascii: "S"): .skip
    case UInt8(ascii: "b"), UInt8(ascii: "B"): .back
    // The equals sign is the plus key without shift.
    case UInt8(ascii: "+"), UInt8(ascii: "="): .extend
    case UInt8(ascii: "-"): .shorten
    // The semicolon is the Q key of a Greek layout.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(ascii: ";"): .leave
    case UInt8(ascii: "?"): .help
    case 0x09: .nextRun
    case 0x0C: .redraw
    default: nil
    }
  }
}
