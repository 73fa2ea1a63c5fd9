import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for recipes in Cooklang.
///
/// Each timer becomes a countdown with the text of its step as the note.
///
/// A timer waits at zero for the cook, because the next thing in a recipe is rarely a timer.
struct CooklangReader: WorkoutReader {
  private var report: ImportReport
  private var title = ""
  private var cards: [Card] = []
  private var boundaries = Boundaries()
  private var steps = 0
  /// The title of the current section; empty if there is none.
  private var section = ""

  static let readsJSON = false

  /// No text is only a recipe.
  static func recognizes(_ text: String) -> Bool { false }

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    var reader = CooklangReader(report: report)
    let body = reader.takeFrontMatter(text)
    for paragraph in reader.paragraphs(reader.withoutComments(body)) {
      try reader.read(paragraph)
    }
    reader.letLastTimerEnd()
    report = reader.report
    let title = reader.title.isEmpty ? PlainText.title(ofFileNamed: name, &report) : reader.title
    return SequenceDefinition(title) { for card in reader.cards { card } }
  }

  private init(report: ImportReport) { self.report = report }

  /// Returns the text after the YAML front matter, and takes the title from the front matter.
  private mutating func takeFrontMatter(_ text: String) -> Substring {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first?.trimming(while: \.isWhitespace) == "---",
      let end = lines.dropFirst().firstIndex(where: { $0.trimming(while: \.isWhitespace) == "---" })
    else { return text[...] }
    let yaml = lines[1..<end].joined(separator: "\n")
    do throws(SequenceFileError) {
      if case .mapping(let entries)? = try SequenceFile.root(of: Array(yaml.utf8))?.content {
        for entry in entries { take(entry.key, entry.value) }
      }
    } catch {
      report.drop("front matter that is not YAML")
    }
    return text[lines[end].endIndex...]
  }

  private mutating func take(_ key: String, _ value: YAMLNode) {
    if key.lowercased() == "title", case .scalar(let text) = value.content {
      title = PlainText.line(text, &report)
    } else {
      report.drop("metadata")
    }
  }

  /// Returns the paragraphs, each a step, and handles all other lines.
  private mutating func paragraphs(_ text: String) -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    var lines: [Substring] = []
    var isFirst = true
    let close = { (section: String) in
      if !lines.isEmpty {
        paragraphs.append(
          Paragraph(text: lines.joined(separator: "\n"), section: section, isFirstOfSection: isFirst))
        isFirst = false
      }
      lines = []
    }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let line = line.trimming(while: \.isWhitespace)
      if line.hasPrefix(">>") {
        close(section)
        metadata(line.dropFirst(2))
      } else if line.hasPrefix(">") {
        close(section)
        report.drop("note")
      } else if line.hasPrefix("=") {
        close(section)
        isFirst = true
        section = PlainText.line(line.trimming { $0 == "=" || $0.isWhitespace }, &report)
      } else if line.isEmpty {
        close(section)
      } else {
        lines.append(line)
      }
    }
    close(section)
    return paragraphs
  }

  /// Reads a metadata line in the old form `>> key: value`.
  private mutating func metadata(_ line: Substring) {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard let key = parts.first, let value = parts.dropFirst().first,
      key.trimming(while: \.isWhitespace).lowercased() == "title"
    else { return report.drop("metadata") }
    title = PlainText.line(value, &report)
  }

  /// Adds a card for each timer, with the sentence around it as the note.
  private mutating func read(_ paragraph: Paragraph) throws(ImportError) {
    steps = paragraph.isFirstOfSection ? 1 : steps + 1
    let step = CooklangText(paragraph.text)
    guard !step.timers.isEmpty else { return report.drop("step without a timer") }
    report.drop("quantity of an ingredient or cookware", count: step.quantities)
    for sentence in step.sentences {
      let note = PlainText.line(sentence.text, &report)
      if sentence.timers.isEmpty, !note.isEmpty { report.drop("sentence without a timer") }
      for timer in sentence.timers {
        let name = PlainText.line(timer.name, &report)
        let place = paragraph.section.isEmpty ? "Step \(steps)" : "\(paragraph.section), step \(steps)"
        let title = name.first.map { $0.uppercased() + name.dropFirst() } ?? place
        cards.append(Card(title, try timing(timer), note: note.isEmpty ? nil : note))
      }
    }
  }

  private mutating func timing(_ timer: CooklangText.Timer) throws(ImportError) -> Timing {
    guard !timer.amount.isEmpty else {
      report.change("timer without a time, now until it is done")
      return .countUp(goal: nil)
    }
    var times = CooklangQuantity.times(timer.amount)
    if times == nil, !timer.amount.contains(where: \.isLetter) {
      // The author of Cooklang means minutes.
      times = CooklangQuantity.times("\(timer.amount) minutes")
      if times != nil { report.change("timer without a unit, now in minutes") }
    }
    guard let (shortest, longest) = times, shortest > .zero else {
      report.change("timer of \(quoted(PlainText.name(timer.amount))), now until it is done")
      return .countUp(goal: nil)
    }
    if longest > shortest { report.change("range of times, now the shortest") }
    let duration = try boundaries.step(of: shortest)
    return duration > .zero ? .countdown(duration, advance: .manual) : .countUp(goal: nil)
  }

  /// Lets the last timer end by itself, because nothing follows it.
  private mutating func letLastTimerEnd() {
    guard let card = cards.last, let duration = card.timing.duration else { return }
    cards[cards.count - 1] = Card(card.title, .countdown(duration, advance: .automatic), note: card.note)
  }

  /// Returns the text without `-- comments` and `[- comments -]`.
  private mutating func withoutComments(_ text: Substring) -> String {
    var kept = String.UnicodeScalarView()
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "[", rest.first == "-" {
        let end = rest.firstRange(of: "-]".unicodeScalars)
        report.drop(end == nil ? "comment without an end, and everything after it" : "comment")
        rest = end.map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
      } else if scalar == "-", rest.first == "-" {
        report.drop("comment")
        rest = rest.drop { !Character($0).isNewline }
      } else {
        kept.append(scalar)
      }
    }
    return String(kept)
  }

  private struct Paragraph {
    let text: String
    let section: String
    let isFirstOfSection: Bool
  }
}

/// A step of a recipe in Cooklang: its text without markup, and its timers.
///
/// The markup is read by Unicode scalars, because a combining mark after a brace makes one character with it.
/// Source: github.com/cooklang/spec.
private struct CooklangText {
  private(set) var text = ""
  private(set) var timers: [Timer] = []
  /// The number of quantities of ingredients and cookware, which are not in the text.
  private(set) var quantities = 0

  /// A timer, written `~name{quantity%unit}`, or two timers that are a range.
  struct Timer {
    let name: String
    var amount: String
    /// The place in the text, in bytes.
    fileprivate var place: Range<Int>
  }

  struct Sentence {
    let text: Substring
    let timers: ArraySlice<Timer>
  }

  init(_ source: String) {
    var rest = source[...].unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": if let escaped = rest.popFirst() { text.unicodeScalars.append(escaped) }
      case "~":
        if let (name, amount) = CooklangText.timer(&rest) { addTimer(name, amount) } else { text += "~" }
      case "@", "#":
        guard let (name, amount) = CooklangText.component(&rest) else {
          text.unicodeScalars.append(scalar)
          continue
        }
        text += name
        if amount?.isEmpty == false { quantities += 1 }
        // The preparation of an ingredient in parentheses stays in the text.
        if rest.first == "(" { text += " " }
      // Some recipes write the modifier of an ingredient before its sign.
      case "-" where rest.first == "@" && text.last?.isWhitespace != false,
        "?" where rest.first == "@" && text.last?.isWhitespace != false:
        continue
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// - Complexity: O(length of the text).
  var sentences: [Sentence] {
    var sentences: [Sentence] = []
    var (start, waiting) = (text.startIndex, timers[...])
    repeat {
      let end = endOfSentence(from: start)
      let isLast = end == text.endIndex
      let inside = waiting.prefix {
        isLast || text.utf8.index(text.startIndex, offsetBy: $0.place.lowerBound) < end
      }
      sentences.append(Sentence(text: text[start..<end], timers: inside))
      waiting = waiting.dropFirst(inside.count)
      start = end
    } while start < text.endIndex
    return sentences
  }

  /// Returns the end of the sentence at an index.
  ///
  /// A sentence ends with a sign such as `.` before an upper-case letter, so that it can contain abbreviations, or at a
  /// line that is an item of a list.
  private func endOfSentence(from start: String.Index) -> String.Index {
    var index = start
    var hasEnded = false
    while index < text.endIndex {
      let character = text[index]
      text.formIndex(after: &index)
      if "。！？".contains(character) { return index }
      if ".!?…".contains(character) {
        hasEnded = true
      } else if character.isNewline, CooklangText.isItem(text[index...]) {
        return index
      } else if character.isWhitespace {
        let next = text[index...].first
        if hasEnded, next.map({ $0.isLetter && !$0.isLowercase || "\"“„«(¿¡".contains($0) }) == true {
          return index
        }
        if next?.isWhitespace == false { hasEnded = false }
      } else if !"\"”“»’')".contains(character) {
        hasEnded = false
      }
    }
    return index
  }

  /// Returns whether a line begins like an item of a list, such as `- ` or `2. `.
  private static func isItem(_ line: Substring) -> Bool {
    let digits = line.prefix(3).prefix(while: \.isNumber)
    let mark = line.dropFirst(digits.count)
    return (digits.isEmpty ? "-*•" : ".)").contains(mark.first ?? " ") && mark.dropFirst().first == " "
  }

  private mutating func addTimer(_ name: String, _ amount: String) {
    let start = text.utf8.count
    text += amount.isEmpty ? name : amount
    let place = start..<text.utf8.count
    if let last = timers.last, name.isEmpty || name == last.name {
      let bytes = text.utf8.dropFirst(last.place.upperBound).prefix(start - last.place.upperBound)
      let between = Substring(bytes).trimming(while: \.isWhitespace)
      let range = "\(last.amount) \(between) \(amount)"
      if CooklangQuantity.joinsRange(between), CooklangQuantity.times(range) != nil {
        timers[timers.count - 1].amount = range
        timers[timers.count - 1].place = last.place.lowerBound..<place.upperBound
        return
      }
    }
    timers.append(Timer(name: name, amount: amount, place: place))
  }

  /// Parses the name and the amount of a timer; `nil` if the text is not a timer.
  ///
  /// A name begins with a letter; everything else is prose such as `~2 spoons`, unless it is a time such as
  /// `~5{minutes}`.
  private static func timer(_ rest: inout Substring.UnicodeScalarView) -> (String, String)? {
    var tail = rest
    guard let (name, braces) = component(&tail, isTimer: true) else { return nil }
    let parts = (braces ?? "").split(separator: "%", maxSplits: 1).map { $0.trimming(while: \.isWhitespace) }
    let amount = parts.filter { !$0.isEmpty }.joined(separator: " ")
    if name.first?.isLetter == false {
      let time = amount.isEmpty ? name : "\(name) \(amount)"
      guard braces != nil, CooklangQuantity.times(time) != nil else { return nil }
      rest = tail
      return ("", time)
    }
    rest = tail
    return (name, amount)
  }

  /// Parses the name and the contents of the braces of a component; `nil` if the text is not a component.
  ///
  /// A name of several words ends with braces; without braces it is one word.
  private static func component(
    _ rest: inout Substring.UnicodeScalarView, isTimer: Bool = false
  ) -> (name: String, braces: String?)? {
    // Modifiers such as & and ? of ingredients and cookware.
    let source = isTimer ? rest : rest.drop { "@&?+-".unicodeScalars.contains($0) }
    let head = source.prefix { !"{@#~\n".unicodeScalars.contains($0) }
    var tail = source[head.endIndex...]
    if tail.popFirst() == "{", isTimer || head.first?.properties.isWhitespace == false {
      // Braces neither nest nor span lines, so each is scanned once.
      let amount = tail.prefix { !"{}\n".unicodeScalars.contains($0) }
      tail = tail[amount.endIndex...]
      if tail.popFirst() == "}" {
        rest = tail
        return (shown(Substring(head).trimming(while: \.isWhitespace)), String(amount))
      }
    }
    let word = source.prefix(while: isInWord)
    guard !word.isEmpty else { return nil }
    rest = source[word.endIndex...]
    return (String(word), nil)
  }

  private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: "_-'".unicodeScalars.contains(scalar)
    }
  }

  /// Returns a name as it is shown: the alias behind `|`, and the name of another recipe without its directory.
  private static func shown(_ name: Substring) -> String {
    let name = name.split(separator: "|").last ?? name
    let isPath = name.utf8.starts(with: "./".utf8) || name.utf8.starts(with: "../".utf8)
    return isPath ? PlainText.fileName(String(name)) : String(name)
  }
}
