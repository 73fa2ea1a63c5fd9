import CSequenceTOML
import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for configurations of uair, whose sessions become countdowns.
///
/// Before a session that does not start by itself, the previous session waits. Source: uair(5) and
/// src/bin/uair/config.rs.
enum UairReader: WorkoutReader {
  static let readsJSON = false

  static func recognizes(_ text: String) -> Bool { text.contains("[[sessions]]") }

  static func sequence(
    from text: String, named name: String, as format: WorkoutFormat, _ report: inout ImportReport
  ) throws(ImportError) -> SequenceDefinition {
    let line = { TOMLText.line(of: $0, in: text) }
    let file = try ForeignJSON.decode(File.self, from: try TOMLText.json(of: text), line: line)
    let title = PlainText.title(ofFileNamed: name, &report)
    for key in file.others + file.sessions.flatMap(\.others) + (file.defaults?.others ?? []) {
      let name = PlainText.name(key)
      report.drop(
        key == "pause_at_start"
          ? LocalizedText("\(name); start the sequence with --paused") : LocalizedText(verbatim: name))
    }
    let number = file.iterations ?? 1
    guard let iterations = Int(exactly: number), iterations != 0,
      file.isEndless || (1...SequenceLimits.mostSteps).contains(iterations)
    else {
      throw ImportError(
        "\(Int(exactly: number).map(String.init) ?? "\(number)") is not a number of iterations from 1 to \(SequenceLimits.mostSteps)",
        line: line("iterations"))
    }
    let rounds: Rounds = file.isEndless ? .forever : .times(iterations)
    var cards: [Card] = []
    for (index, session) in file.sessions.enumerated() {
      let isLast = index == file.sessions.count - 1
      let next = isLast && rounds == 1 ? nil : file.sessions[isLast ? 0 : index + 1]
      let place = session.duration == nil ? "defaults.duration" : "sessions[\(index)].duration"
      cards.append(try card(session, before: next, file.defaults, line: { line(place) }, &report))
    }
    return SequenceDefinition(title) {
      if rounds == 1 || cards.isEmpty {
        for card in cards { card }
      } else {
        Group(rounds) { for card in cards { card } }
      }
    }
  }

  private static func card(
    _ session: Session, before next: Session?, _ defaults: Session?, line: () -> Int?,
    _ report: inout ImportReport
  ) throws(ImportError) -> Card {
    // The defaults of uair.
    let title = PlainText.line(session.name ?? defaults?.name ?? "Work", &report)
    let text = session.duration ?? defaults?.duration ?? "25m"
    guard let duration = HumanDuration.parse(text), duration > .zero,
      duration <= SequenceLimits.longestDuration
    else {
      throw ImportError("\(quoted(text)) is not a duration of at most 30d", line: line())
    }
    let waits = next.map { !($0.autostart ?? defaults?.autostart ?? false) } ?? false
    if waits { report.change("session that does not start by itself: the one before it waits") }
    return Card(
      title.isEmpty ? "Work" : title, .countdown(duration, advance: waits ? .manual : .automatic))
  }

  private struct File: Decodable {
    let sessions: [Session]
    let defaults: Session?
    let iterations: Double?
    let isEndless: Bool
    let others: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      sessions = try container.decode([Session].self, forKey: AnyKey(stringValue: "sessions"))
      defaults = try container.decodeIfPresent(Session.self, forKey: AnyKey(stringValue: "defaults"))
      iterations = try container.decodeIfPresent(Double.self, forKey: AnyKey(stringValue: "iterations"))
      isEndless =
        try container.decodeIfPresent(Bool.self, forKey: AnyKey(stringValue: "loop_on_end")) ?? false
      let known = ["sessions", "defaults", "iterations", "loop_on_end"]
      others = container.allKeys.map(\.stringValue).filter { !known.contains($0) }.sorted()
    }
  }

  private struct Session: Decodable {
    let name: String?
    let duration: String?
    let autostart: Bool?
    /// The names of all other keys: the command, the appearance and the overridables.
    let others: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      name = try container.decodeIfPresent(String.self, forKey: AnyKey(stringValue: "name"))
      duration = try container.decodeIfPresent(String.self, forKey: AnyKey(stringValue: "duration"))
      autostart = try container.decodeIfPresent(Bool.self, forKey: AnyKey(stringValue: "autostart"))
      let known = ["name", "duration", "autostart"]
      others = container.allKeys.map(\.stringValue).filter { !known.contains($0) }.sorted()
    }
  }
}

private enum TOMLText {
  /// The largest number of dots in a text; twice as many are still safe.
  ///
  /// Each dot can be a table in a table. toml++ limits the depth of values only, so a key with many dots
  /// would overflow the stack.
  private static let mostDots = 5000

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
