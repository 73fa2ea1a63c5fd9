import FoundationEssentials
package import SequencePlatform
package import SequenceRunner
import SequenceStore

/// Sequences that are written on the command line, with one text per card such as `Work 20s`.
package enum CardSpec {
  /// Creates a sequence from cards.
  ///
  /// A card begins or ends with its duration, such as `5m Tea` or `Tea 5 min`. A card without a duration is a
  /// count-up. A number without a unit and a time of day are refused at both ends.
  ///
  /// - Parameters:
  ///   - specs: the cards; at least one.
  ///   - rounds: how often all cards are repeated.
  ///   - title: the title; by default the titles of the cards.
  /// - Throws: `Problem`.
  package static func sequence(
    cards specs: [String], rounds: Rounds = 1, title: String? = nil
  ) throws(Problem) -> Timeline {
    var cards: [(title: String, timing: Timing)] = []
    for spec in specs { cards.append(try card(spec)) }
    return try sequence(of: cards, rounds: rounds, title: title)
  }

  /// - Parameters:
  ///   - text: the duration or the time of its end, with a title before or after it or without a title, such as `5m Tea`
  ///     or `Tea until 14:30`.
  ///   - time: returns how long it takes until a time of day.
  package static func timer(
    _ text: String, until time: (TimeOfDay) -> Duration
  ) throws(Problem) -> Timeline {
    var words = try words(of: text)
    guard !words.isEmpty else { throw Problem("a timer needs a duration", remedy: timerRemedy) }
    if let (end, range) = TimeOfDay.find(in: words) {
      words.removeSubrange(range)
      return try timer(time(end), title: words.joined(separator: " "))
    }
    let (title, duration) = try parts(words)
    guard let duration else {
      throw Problem("\(quoted(text)) has no duration", remedy: timerRemedy)
    }
    // "in 5 minutes" has no title.
    let isMissing = ["", "in", "for"].contains(title.lowercased())
    return try sequence(of: [(isMissing ? "Timer" : title, .countdown(duration, advance: .automatic))])
  }

  /// Creates a timer with a duration that isn't among its words.
  ///
  /// - Parameter title: the title; empty for none.
  package static func timer(_ duration: Duration, title text: String) throws(Problem) -> Timeline {
    let words = try words(of: text)
    let hasOther: Bool
    do throws(Problem) {
      hasOther = try parts(words).duration != nil
    } catch {
      // A number without a unit is part of the title.
      hasOther = false
    }
    if hasOther { throw Problem("\(quoted(text)) has another duration", remedy: "remove one of the two") }
    return try sequence(
      of: [
        (words.isEmpty ? "Timer" : words.joined(separator: " "), .countdown(duration, advance: .automatic))
      ])
  }

  private static let timerRemedy: LocalizedText = "write it like 5m Tea, or Tea until 14:30"

  private static func sequence(
    of cards: [(title: String, timing: Timing)], rounds: Rounds = 1, title: String? = nil
  ) throws(Problem) -> Timeline {
    let title = title ?? CardSpec.title(of: cards.map(\.title))
    let id = DerivedID.sequence(title: title)
    let elements = cards.enumerated().map { index, card in
      SequenceElement.card(
        Card(
          id: DerivedID.card(sequence: id, place: [index], title: card.title), title: card.title,
          timing: card.timing))
    }
    do throws(TimelineError) {
      let body = rounds == 1 ? elements : [.group(Group(rounds: rounds, elements: elements))]
      return try Timeline(
        SequenceDefinition(id: id, title: title, elements: body, onSuspend: nil, onLock: nil))
    } catch {
      throw error.problem
    }
  }

  /// Reads a card that begins or ends with its duration; without one it is a count-up.
  package static func card(_ spec: String) throws(Problem) -> (title: String, timing: Timing) {
    let words = try words(of: spec)
    guard !words.isEmpty else { throw Problem("a card is empty", remedy: "write it like \"Work 20s\"") }
    // Noon alone may be a title.
    if let range = TimeOfDay.find(in: words)?.range,
      range.count > 1 || words[range].joined().contains(where: \.isNumber)
    {
      throw Problem(
        "\(quoted(words[range].joined(separator: " "))) is a time of day, not a duration",
        remedy: DurationTextError.notADuration.problem.remedy)
    }
    let (title, duration) = try parts(words)
    guard !title.isEmpty else {
      throw Problem(
        "\(quoted(spec)) has no title", remedy: "write it like \"Work \(words.joined(separator: " "))\"")
    }
    return (title, duration.map { .countdown($0, advance: .automatic) } ?? .countUp(goal: nil))
  }

  /// Returns the titles of cards as one title, as many characters of it as a title may have.
  private static func title(of titles: [String]) -> String {
    var title = String(titles.joined(separator: ", ").prefix(SequenceLimits.longestTitle))
    while SequenceLimits.isTooLong(title) { title.removeLast() }
    return title
  }

  private static func words(of spec: String) throws(Problem) -> [Substring] {
    guard !SequenceLimits.isTooLong(spec) else {
      throw Problem(
        "\(quoted(spec)) has more than \(SequenceLimits.titleLimits)", remedy: "shorten the title")
    }
    if let control = spec.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
      throw Problem(
        "\(quoted(spec)) contains the control character \(control.value)", remedy: "remove it")
    }
    // A space makes one character with a mark behind it, or with a number sign of another script before it.
    return spec.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { Substring($0) }
  }

  /// Splits words into a title and the duration at one of their ends; both may be missing.
  private static func parts(
    _ words: [Substring]
  ) throws(Problem) -> (title: String, duration: Duration?) {
    let text = words.joined(separator: " ")
    let (first, last) = (DurationText.find(in: words), DurationText.find(in: words, atEnd: true))
    switch (first, last) {
    case (let first?, _) where first.count == words.count:
      return ("", try duration(first.duration, text))
    case (_?, _?):
      throw Problem("\(quoted(text)) begins and ends with a duration", remedy: "write one of them")
    case (let first?, nil):
      let rest = Array(words[first.count...])
      let title = rest.joined(separator: " ")
      let duration = try duration(first.duration, words[..<first.count].joined(separator: " "))
      // A number or a unit alone belongs to the duration before it, as in "1h 30" and "1:30 h".
      if DurationText.isPlainNumber(withASCIIDigits(title)) {
        throw DurationTextError.noUnit.problem(with: "\(quoted(text))")
      }
      let hasUnit = words[first.count - 1].last?.isNumber == false
      if DurationText.isUnit(title[...]), !(hasUnit && unitTitles.contains(title.lowercased())) {
        throw DurationTextError.notADuration.problem(with: "\(quoted(text))")
      }
      // "1h and a half" is longer than an hour.
      if rest[0].lowercased() == "and" {
        throw DurationTextError.notADuration.problem(with: "\(quoted(text))")
      }
      try checkDigits(rest)
      if rest.count == 1 { try checkNumber(rest[0]) }
      return (title, duration)
    case (nil, let last?):
      let rest = Array(words.dropLast(last.count))
      try checkDigits(rest)
      if rest.count == 1 { try checkNumber(rest[0]) }
      for part in [rest.suffix(1), rest.suffix(2)] { try checkLongUnit(part.joined()) }
      return (
        rest.joined(separator: " "),
        try duration(last.duration, words.suffix(last.count).joined(separator: " "))
      )
    case (nil, nil):
      try checkDigits(words)
      for part in ends(of: words) {
        try checkLongUnit(part.joined())
        try checkNumberBeforeUnit(part)
      }
      for word in [words.last, words.first] {
        try checkNumber(word ?? "")
        try TimeOfDay.check(word ?? "")
        try checkUnit(word ?? "")
        try checkLetterCase(word ?? "")
      }
      // A last word that begins like a number was meant as a duration, and must not silently become a title.
      if let word = words.last, word.drop(while: { "+-".contains($0) }).first?.isNumber == true {
        _ = try duration(
          Result { () throws(DurationTextError) in try DurationText.parseWritten(String(word)) }, "\(word)")
        throw DurationTextError.notADuration.problem(with: "\(quoted(String(word)))")
      }
      return (text, nil)
    }
  }

  /// The units that are a title behind a duration that has a unit of its own, as in `25m Day`.
  ///
  /// A shorter one, as in `1h m`, is more likely the rest of a duration.
  private static let unitTitles: Set<String> = [
    "day", "days", "hour", "hours", "minute", "minutes", "second", "seconds",
  ]

  /// The units that durations don't have, with their days; `nil` if these are too many.
  private static let longUnits: [(names: Set<String>, days: Int?)] = [
    (["w", "wk", "wks", "week", "weeks"], 7),
    (["mo", "mos", "month", "months", "y", "yr", "yrs", "year", "years"], nil),
  ]

  private static let milliseconds: Set<String> = ["ms", "msec", "msecs", "millisecond", "milliseconds"]

  /// The words at both ends that a number with a unit can have.
  private static func ends(of words: [Substring]) -> [ArraySlice<Substring>] {
    [words.prefix(1), words.prefix(2), words.suffix(1), words.suffix(2)]
  }

  private static func withASCIIDigits(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.properties.numericType == .decimal
        ? String(Int(scalar.properties.numericValue ?? 0)) : String(scalar)
    }.joined()
  }

  /// Refuses a duration with digits of another script, such as `５m`, at an end of words.
  ///
  /// A number in such digits may be part of a title.
  private static func checkDigits(_ words: [Substring]) throws(Problem) {
    for part in ends(of: words) {
      let text = part.joined(separator: " ")
      let digits = withASCIIDigits(text)
      guard digits != text, DurationText.find(in: digits.split(separator: " "))?.count == part.count else {
        continue
      }
      throw Problem("\(quoted(text)) has digits other than 0 to 9", remedy: "write \(digits)")
    }
  }

  /// Refuses a word that may have been meant as the duration, or as a part of it, and would be in the title.
  private static func checkNumber(_ word: Substring) throws(Problem) {
    try checkLongUnit(String(word))
    let number = word.prefix { $0.isASCII && $0.isNumber || ":,.".contains($0) }
    let unit = word[number.endIndex...]
    guard number.first?.isNumber == true, number.last?.isNumber == true,
      number.contains(where: { ":,".contains($0) }),
      unit.isEmpty || DurationText.isUnit(unit)
    else { return }
    guard !number.contains(":") else {
      throw Problem(
        "\(quoted(String(word))) is not a duration", remedy: "write it like 1:30, 1:00:05 or 1h30m")
    }
    // The last mark of 1.500,5 is that of the fraction.
    if number.contains("."), let mark = number.lastIndex(where: { !$0.isNumber }) {
      let marked = number[..<mark].filter(\.isNumber) + "." + number[mark...].dropFirst()
      throw Problem(
        "\(quoted(String(word))) is not a duration",
        remedy: "write \(marked)\(unit.isEmpty ? "s" : unit)")
    }
    let pointed = number.replacing(",", with: ".")
    throw DurationText.isPlainNumber(pointed) && number.split(separator: ",").last?.count ?? 0 < 3
      ? Problem("\(quoted(String(word))) has no unit", remedy: "write \(pointed)h or \(pointed)m")
      : Problem("\(quoted(String(word))) has a comma", remedy: "write the number without it")
  }

  /// Refuses two words such as `1,500.5 s` or `5;30 min`.
  private static func checkNumberBeforeUnit(_ words: ArraySlice<Substring>) throws(Problem) {
    guard words.count == 2, let number = words.first, let unit = words.last, DurationText.isUnit(unit),
      number.first?.isNumber == true, !number.contains(where: \.isLetter)
    else { return }
    try checkNumber("\(number)\(unit)")
    throw DurationTextError.notADuration.problem(with: "\(quoted("\(number) \(unit)"))")
  }

  /// Refuses a number with a unit in capitals, such as `5M`.
  private static func checkLetterCase(_ word: Substring) throws(Problem) {
    guard let letter = word.last, "HMS".contains(letter), DurationText.isPlainNumber(word.dropLast()) else {
      return
    }
    throw Problem("\(quoted(String(word))) is not a duration", remedy: "write \(word.lowercased())")
  }

  /// Refuses a number with a unit that durations don't have, such as `2weeks`.
  private static func checkLongUnit(_ text: String) throws(Problem) {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
    let name = text.dropFirst(digits.count)
    if !digits.isEmpty, milliseconds.contains(name.lowercased()) {
      throw Problem("\(quoted(String(name))) is not a unit", remedy: "write it in seconds, as in 0.5s")
    }
    guard !digits.isEmpty, let unit = longUnits.first(where: { $0.names.contains(name.lowercased()) })
    else { return }
    let days = unit.days.flatMap { length in Int(digits).flatMap { $0 <= 30 / length ? $0 * length : nil } }
    throw Problem(
      "\(quoted(String(name))) is not a unit",
      remedy: days.map { LocalizedText("write \($0)d") } ?? LocalizedText("write it in days, at most 30d"))
  }

  private static func checkUnit(_ word: Substring) throws(Problem) {
    guard DurationText.isPlainNumber(word) else { return }
    _ = try duration(
      Result { () throws(DurationTextError) in try DurationText.parseWritten(String(word)) }, "\(word)")
    throw Problem("\(quoted(String(word))) has no unit", remedy: "write \(word)s or \(word)m")
  }

  private static func duration(
    _ result: Result<Duration, DurationTextError>, _ text: String
  ) throws(Problem) -> Duration {
    do throws(DurationTextError) {
      return try result.get()
    } catch {
      throw error.problem(with: "\(quoted(text))")
    }
  }

}
