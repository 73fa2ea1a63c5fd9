import SequenceFiles
import SequenceRunner

/// A reader for recipes in Cooklang.
///
/// Each timer becomes a countdown with the text of its step as the note.
///
/// A timer waits at zero for the cook, because the next thing in a recipe is rarely a timer.
struct CooklangReader {
  private var draft: WorkoutDraft
  private var boundaries = Boundaries()
  /// The number of steps of the current section.
  private var steps = 0
  /// The title of the current section; empty if there is none.
  private var section = ""

  static func draft(
    of text: String, named name: String, _ report: ImportReport
  ) throws(ImportError) -> WorkoutDraft {
    var reader = CooklangReader(draft: WorkoutDraft(title: "", report: report))
    let body = reader.takeFrontMatter(text)
    for paragraph in reader.paragraphs(reader.withoutComments(body)) {
      try reader.read(paragraph)
    }
    if reader.draft.title.isEmpty {
      reader.draft.title = PlainText.title(ofFileNamed: name, &reader.draft.report)
    }
    reader.letLastTimerEnd()
    return reader.draft
  }

  private init(draft: WorkoutDraft) { self.draft = draft }

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
      draft.report.drop("front matter that is not YAML")
    }
    return text[lines[end].endIndex...]
  }

  private mutating func take(_ key: String, _ value: YAMLNode) {
    if key.lowercased() == "title", case .scalar(let title) = value.content {
      draft.title = PlainText.line(title, &draft.report)
    } else {
      draft.report.drop("metadata")
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
        draft.report.drop("note")
      } else if line.hasPrefix("=") {
        close(section)
        isFirst = true
        section = PlainText.line(line.trimming { $0 == "=" || $0.isWhitespace }, &draft.report)
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
    else { return draft.report.drop("metadata") }
    draft.title = PlainText.line(value, &draft.report)
  }

  /// Adds a card for each timer, with the sentence around it as the note.
  private mutating func read(_ paragraph: Paragraph) throws(ImportError) {
    steps = paragraph.isFirstOfSection ? 1 : steps + 1
    let step = CooklangText(paragraph.text)
    guard !step.timers.isEmpty else { return draft.report.drop("step without a timer") }
    draft.report.drop("quantity of an ingredient or cookware", count: step.quantities)
    for sentence in step.sentences {
      let note = PlainText.line(sentence.text, &draft.report)
      if sentence.timers.isEmpty, !note.isEmpty { draft.report.drop("sentence without a timer") }
      for timer in sentence.timers {
        let name = PlainText.line(timer.name, &draft.report)
        let place = paragraph.section.isEmpty ? "Step \(steps)" : "\(paragraph.section), step \(steps)"
        let title = name.first.map { $0.uppercased() + name.dropFirst() } ?? place
        draft.elements.append(
          .card(WorkoutCard(title: title, notes: note.isEmpty ? [] : [note], timing: try timing(timer))))
      }
    }
  }

  private mutating func timing(_ timer: CooklangText.Timer) throws(ImportError) -> Timing {
    guard !timer.amount.isEmpty else {
      draft.report.change("timer without a time, now until it is done")
      return .countUp(goal: nil)
    }
    var times = CooklangQuantity.times(timer.amount)
    if times == nil, !timer.amount.contains(where: \.isLetter) {
      // The author of Cooklang means minutes.
      times = CooklangQuantity.times("\(timer.amount) minutes")
      if times != nil { draft.report.change("timer without a unit, now in minutes") }
    }
    guard let (shortest, longest) = times, shortest > .zero else {
      draft.report.change("timer of \(quoted(PlainText.name(timer.amount))), now until it is done")
      return .countUp(goal: nil)
    }
    if longest > shortest { draft.report.change("range of times, now the shortest") }
    let duration = try boundaries.step(of: shortest)
    return duration > .zero ? .countdown(duration, advance: .manual) : .countUp(goal: nil)
  }

  /// Lets the last timer end by itself, because nothing follows it.
  private mutating func letLastTimerEnd() {
    guard case .card(var card)? = draft.elements.last, let duration = card.timing.duration else { return }
    card.timing = .countdown(duration, advance: .automatic)
    draft.elements[draft.elements.count - 1] = .card(card)
  }

  /// Returns the text without `-- comments` and `[- comments -]`.
  private mutating func withoutComments(_ text: Substring) -> String {
    var kept = String.UnicodeScalarView()
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "[", rest.first == "-" {
        let end = rest.firstRange(of: "-]".unicodeScalars)
        draft.report.drop(end == nil ? "comment without an end, and everything after it" : "comment")
        rest = end.map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
      } else if scalar == "-", rest.first == "-" {
        draft.report.drop("comment")
        rest = rest.drop { !Character($0).isNewline }
      } else {
        kept.append(scalar)
      }
    }
    return String(kept)
  }

  /// The source of a step, and its section.
  private struct Paragraph {
    let text: String
    let section: String
    let isFirstOfSection: Bool
  }
}
