import SequencePlatform

/// Durations as people type them, on a command line or into the field of the quick timer. Files take `parseWritten(_:)` alone.
extension DurationText {
  /// Parses a duration as a person types it.
  ///
  /// Accepts the notations of `parse(_:)`, and in addition a decimal comma (`1,5h`), a last number without its unit
  /// (`1h30`, `2m30`), English words (`half an hour`, `five minutes`, `1 hour and a half`) and the units of the user's
  /// language.
  ///
  /// - Throws: `DurationTextError`; `.comma` if the comma may separate thousands, as in `1,500s`.
  package static func parseTyped(_ text: String) throws(DurationTextError) -> Duration {
    do throws(DurationTextError) {
      return try parseWritten(text)
    } catch {
      switch error {
      case .comma:
        let parts = text.split(separator: ",")
        guard text.contains(where: \.isLetter), parts.last?.prefix(while: \.isNumber).count != 3 else {
          throw error
        }
        return try parseWritten(parts.joined(separator: "."))
      case .noUnit:
        guard let unit = missingUnit(of: text) else { throw error }
        return try parseWritten(text + unit)
      case .notADuration:
        if let english = inEnglishUnits(text) { return try parseTyped(english) }
        guard let duration = spoken(text) else { throw error }
        guard duration > .zero else { throw .zero }
        guard duration <= SequenceLimits.longestDuration else { throw .tooLong }
        return duration
      case .zero, .negative, .infinite, .tooLong, .tooFine: throw error
      }
    }
  }

  /// Parses a duration as a person types it, with an optional sign.
  ///
  /// - Throws: `DurationTextError`.
  package static func parseTypedSigned(_ text: String) throws(DurationTextError) -> Duration {
    try signed(text, parseTyped)
  }

  /// The unit that the last number of a text such as `1h30` lacks: the next smaller one.
  private static func missingUnit(of text: String) -> String? {
    let number = String(text.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    let name = String(text.dropLast(number.count).reversed().prefix(while: \.isLetter).reversed())
    guard number.count <= 2, let count = Int(number), count < 60 else { return nil }
    return switch unit(name[...]) {
    case 1: "m"
    case 2: "s"
    default: nil
    }
  }

  /// The names of the units in the user's language.
  private static let localNames: [(unit: String, names: Set<String>)] = [
    ("d", translated("d, day, days")), ("h", translated("h, hr, hrs, hour, hours")),
    ("m", translated("m, min, mins, minute, minutes")), ("s", translated("s, sec, secs, second, seconds")),
  ].map { unit, names in
    // The Arabic comma, and the ideographic one.
    (unit, Set(names.split { ",،、 ".contains($0) }.map(unitName)))
  }

  /// Returns a text such as `5 Min` with the English letters of its units; `nil` if it has no units of the user's language.
  private static func inEnglishUnits(_ text: String) -> String? {
    var (english, rest, isChanged) = ("", text[...], false)
    while let character = rest.first {
      let word = rest.prefix { $0.isLetter == character.isLetter }
      rest = rest[word.endIndex...]
      let name = unitName(word)
      if character.isLetter, unit(word) == nil,
        let local = localNames.first(where: { $0.names.contains(name) })
      {
        english += local.unit
        isChanged = true
      } else {
        english += word
      }
    }
    return isChanged ? english : nil
  }

  // MARK: - Words

  private static let ones = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

  private static func isArticle(_ word: Substring?) -> Bool {
    word.map { ["a", "an"].contains($0.lowercased()) } == true
  }

  /// Whether a duration of several words can begin with a word.
  private static func canBegin(_ word: Substring) -> Bool {
    guard word.first?.isNumber != true else { return true }
    // Without the second part of "half-hour" or "twenty-five".
    let name = word.lowercased().prefix { $0 != "-" }
    return ["a", "an", "half", "quarter"].contains(name) || ones.contains { $0 == name }
      || tens.contains { $0 == name }
  }

  /// Parses amounts in words or digits with hours, minutes and seconds, such as `an hour and five minutes`.
  ///
  /// `a second` may be the second one of something, and days are too long for words, as in `one day at a time`.
  private static func spoken(_ text: String) -> Duration? {
    var words = text.lowercased().split { $0.isWhitespace || $0 == "-" }[...]
    var total: Int64 = 0
    var last = 0
    while true {
      let isOne = isArticle(words.first)
      guard var quarters = amount(&words), let name = words.popFirst(), name.count > 1,
        let index = unit(name),
        index > last, !(isOne && quarters == 4 && index == units.count - 1)
      else { return nil }
      if take(["and", "a", "half"], from: &words) { quarters += 2 }
      total += quarters * units[index].seconds * 250_000_000
      last = index
      guard !words.isEmpty else { return .nanoseconds(total) }
      _ = take(["and"], from: &words)
    }
  }

  /// Takes an amount from the beginning of words, in quarters.
  private static func amount(_ words: inout ArraySlice<Substring>) -> Int64? {
    let hasArticle = take(["a"], from: &words) || take(["an"], from: &words)
    if take(["half"], from: &words) {
      takeArticle(from: &words)
      return 2
    }
    for (name, quarters) in [(["quarter"], Int64(1)), (["three", "quarters"], 3)]
    where take(name, from: &words) {
      _ = take(["of"], from: &words)
      takeArticle(from: &words)
      return quarters
    }
    guard !hasArticle else { return 4 }
    guard let number = number(&words) else { return nil }
    return number * 4 + (take(["and", "a", "half"], from: &words) ? 2 : 0)
  }

  /// Takes a number in words or in digits, below 10,000, from the beginning of words.
  private static func number(_ words: inout ArraySlice<Substring>) -> Int64? {
    guard let word = words.popFirst() else { return nil }
    if word.count <= 4, word.allSatisfy({ $0.isASCII && $0.isNumber }) { return Int64(word) }
    if let place = ones.firstIndex(where: { $0 == word }) { return Int64(place + 1) }
    guard let ten = tens.firstIndex(where: { $0 == word }) else { return nil }
    guard let one = ones.prefix(9).firstIndex(where: { $0 == words.first ?? "" }) else {
      return Int64(ten + 2) * 10
    }
    words.removeFirst()
    return Int64(ten + 2) * 10 + Int64(one + 1)
  }

  private static func takeArticle(from words: inout ArraySlice<Substring>) {
    if isArticle(words.first) { words.removeFirst() }
  }

  /// Removes words from the beginning if these are there.
  private static func take(_ beginning: [String], from words: inout ArraySlice<Substring>) -> Bool {
    guard words.starts(with: beginning, by: { $0 == $1 }) else { return false }
    words.removeFirst(beginning.count)
    return true
  }

  // MARK: - Durations among words

  /// Whether a word is a number without a unit, which a file reads as seconds.
  package static func isPlainNumber(_ word: some StringProtocol) -> Bool {
    word.utf8.first.map(isDigit) == true && word.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  package static func isUnit(_ word: Substring) -> Bool { unit(word) != nil }

  /// Finds the longest beginning of words, or their longest ending, that is a duration with a unit.
  ///
  /// - Returns: the number of words, and the duration or what is wrong with it, such as `.tooLong`; `nil` if there is
  ///   no duration.
  package static func find(
    in words: [Substring], atEnd: Bool = false
  ) -> (count: Int, duration: Result<Duration, DurationTextError>)? {
    for count in (1...max(1, min(words.count, 2 * units.count))).reversed() {
      let part = atEnd ? words.suffix(count) : words.prefix(count)
      guard let word = part.first, count > 1 ? canBegin(word) : !isPlainNumber(word) else { continue }
      // "Wait a minute" is a title.
      if atEnd, 1 < count, count < words.count, isArticle(word), unit(part[part.startIndex + 1]) != nil {
        continue
      }
      let duration = Result { () throws(DurationTextError) in try parseTyped(part.joined(separator: " ")) }
      switch duration {
      case .success, .failure(.zero), .failure(.negative), .failure(.tooLong), .failure(.tooFine):
        return (count, duration)
      // A word such as 1d12 was meant as a duration.
      case .failure(.noUnit) where count == 1: return (count, duration)
      // A number alone, such as 1,5, belongs to the title.
      case .failure(.comma) where part.joined().contains(where: \.isLetter): return (count, duration)
      case .failure(.notADuration), .failure(.noUnit), .failure(.comma), .failure(.infinite): continue
      }
    }
    return nil
  }

  /// Returns how many words at the beginning are a duration with an optional sign; 1 if none are.
  package static func signedCount(in words: [String]) -> Int {
    guard let first = words.first else { return 0 }
    let hasSign = first.first.map { "+-−".contains($0) } == true
    let unsigned = [hasSign ? first.dropFirst() : first[...]] + words.dropFirst().map { $0[...] }
    return max(1, find(in: unsigned)?.count ?? 1)
  }
}
