import SequencePlatform
import SequenceRunner

/// Times in recipes, such as `10 minutes`, `1 1/2 hours`, `½ h`, `1 hour 40 mins`, `1:30`, and ranges of them.
enum CooklangQuantity {
  private static let rangeWords: Set<String> = [
    "-", "–", "—", "to", "or",
    "à", "ou",  // French
    "bis", "oder",  // German
    "a", "o",  // Spanish, Italian
    "tot",  // Dutch
  ]

  /// Units in other languages than English, by their length in seconds.
  private static let units: [(seconds: Int, names: Set<String>)] = [
    (
      1,
      [
        "seconde", "secondes", "sekunde", "sekunden", "sek", "segundo", "segundos", "secondo", "secondi",
        "seconden", "sekund", "sekunder",
      ]
    ),
    (
      60,
      [
        "mn", "minuten", "minuto", "minutos", "minuti", "minuut", "minut", "minuter",
      ]
    ),
    (
      3600,
      [
        "heure", "heures", "stunde", "stunden", "std", "hora", "horas", "ora", "ore", "uur", "uren",
        "timme", "timmar",
      ]
    ),
    (
      86_400,
      [
        "jour", "jours", "tag", "tage", "tagen", "día", "días", "dia", "dias", "giorno", "giorni", "dag",
        "dagen", "dagar",
      ]
    ),
    (
      7 * 86_400,
      [
        "semaine", "semaines", "woche", "wochen", "semana", "semanas", "settimana", "settimane", "weken",
        "vecka", "veckor",
      ]
    ),
  ]

  /// Returns the shortest and the longest time of a text; `nil` if it is not a time or has no unit.
  static func times(_ text: String) -> (Duration, Duration)? {
    let words = words(of: text)
    guard let place = words.firstIndex(where: joinsRange) else {
      return time(words).map { ($0, $0) }
    }
    let (low, high) = (words[..<place], words[(place + 1)...])
    // "1:30 to 2 hours" is an hour and a half, which the rules for clock times don't know.
    guard low.contains(where: { $0.contains(":") }) == high.contains(where: { $0.contains(":") }) else {
      return nil
    }
    // In "2 to 3 minutes" the unit of the second number is that of the first.
    guard let longest = time(high), let shortest = time(low) ?? time(low + high.suffix(1)),
      shortest <= longest
    else { return nil }
    return (shortest, longest)
  }

  static func joinsRange(_ text: Substring) -> Bool { rangeWords.contains(text.lowercased()) }

  /// Splits a text at white space and between letters and other characters; each dash is a word.
  private static func words(of text: String) -> ArraySlice<Substring> {
    var words: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      var word = rest.prefix(1)
      if first.isLetter {
        word = rest.prefix(while: \.isLetter)
      } else if !first.isWhitespace, !"-–—".contains(first) {
        word = rest.prefix { !$0.isLetter && !$0.isWhitespace && !"-–—".contains($0) }
      }
      if !first.isWhitespace { words.append(word) }
      rest = rest[word.endIndex...]
      // An abbreviation such as "min." ends with a point.
      if first.isLetter, rest.first == "." { rest.removeFirst() }
    }
    return words[...]
  }

  /// Returns a time of numbers with units, the longest unit first, or in a notation of sequence files.
  private static func time(_ words: ArraySlice<Substring>) -> Duration? {
    var rest = words
    var total = Duration.zero
    var last: Duration?
    while let number = number(&rest) {
      guard let unit = rest.popFirst().flatMap(unit), last.map({ unit < $0 }) != false,
        let time = scaled(number, unit)
      else { return clock(words) }
      total += time
      last = unit
    }
    return rest.isEmpty && last != nil ? total : clock(words)
  }

  /// Parses notations such as `1:30` and `PT30M`, but no number without a unit.
  private static func clock(_ words: ArraySlice<Substring>) -> Duration? {
    guard words.count == 1 || words.first == "PT", words.first.map(DurationText.isPlainNumber) == false else {
      return nil
    }
    do throws(DurationTextError) {
      return try DurationText.parseWritten(words.joined())
    } catch {
      // The text is reported as unreadable.
      return nil
    }
  }

  private static func unit(_ name: Substring) -> Duration? {
    HumanDuration.unit(name)
      ?? units.first { $0.names.contains(name.lowercased()) }.map { .seconds($0.seconds) }
  }

  /// Takes a number such as `10`, `1.5`, `1,5`, `1/2`, `½`, `1½` or `1 1/2`, as seconds.
  private static func number(_ words: inout ArraySlice<Substring>) -> Duration? {
    guard let word = words.first else { return nil }
    let whole: Duration
    if let fraction = fraction(word) {
      words.removeFirst()
      return fraction
    } else if let last = word.last, let number = decimal(word.dropLast()), let part = fraction("\(last)") {
      words.removeFirst()
      return number + part
    } else if let number = decimal(word) {
      words.removeFirst()
      whole = number
    } else {
      return nil
    }
    guard let part = words.first.flatMap(fraction) else { return whole }
    words.removeFirst()
    return whole + part
  }

  /// Parses a decimal number; three digits after a comma could also be thousands, so they are no number.
  private static func decimal(_ word: Substring) -> Duration? {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return DecimalNumber.duration(word) }
    return parts[1].count == 3 || word.contains(".")
      ? nil : DecimalNumber.duration(parts.joined(separator: "."))
  }

  private static func fraction(_ word: Substring) -> Duration? {
    let parts = word.split(omittingEmptySubsequences: false) { "/⁄".contains($0) }
    if parts.count == 2 {
      guard let top = DecimalNumber.duration(parts[0]), let bottom = Int(parts[1]), bottom > 0 else {
        return nil
      }
      return top / bottom
    }
    let scalars = word.unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1,
      "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞".unicodeScalars.contains(scalar), let value = scalar.properties.numericValue
    else { return nil }
    // 2520 is a multiple of all denominators.
    return .seconds((value * 2520).rounded()) / 2520
  }

  /// Returns a number, given as seconds, times a unit; `nil` if the result is longer than any sequence.
  private static func scaled(_ number: Duration, _ unit: Duration) -> Duration? {
    guard unit >= .seconds(1) else { return number / 1000 }
    let time = number * unit.components.seconds
    return time <= SequenceLimits.longestTotal ? time : nil
  }
}
