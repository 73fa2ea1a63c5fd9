import SequencePlatform
import SequenceFiles
import SequenceRunner

/// A reader for configurations of uair, whose sessions become countdowns.
///
/// Before a session that does not start by itself, the previous session waits. Source: uair(5) and
/// src/bin/uair/config.rs.
enum UairReader {
  static func draft(
    of text: String, named name: String, _ report: ImportReport
  ) throws(ImportError) -> WorkoutDraft {
    let line = { TOMLText.line(of: $0, in: text) }
    let file = try ForeignJSON.decode(File.self, from: try TOMLText.json(of: text), line: line)
    var draft = WorkoutDraft(title: "", report: report)
    draft.title = PlainText.title(ofFileNamed: name, &draft.report)
    for key in file.others + file.sessions.flatMap(\.others) + (file.defaults?.others ?? []) {
      let remedy = key == "pause_at_start" ? "; start the sequence with --paused" : ""
      draft.report.drop(PlainText.name(key) + remedy)
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
    var cards: [WorkoutElement] = []
    for (index, session) in file.sessions.enumerated() {
      let isLast = index == file.sessions.count - 1
      let next = isLast && rounds == 1 ? nil : file.sessions[isLast ? 0 : index + 1]
      let place = session.duration == nil ? "defaults.duration" : "sessions[\(index)].duration"
      cards.append(
        .card(try card(session, before: next, file.defaults, line: { line(place) }, &draft.report)))
    }
    draft.elements = rounds == 1 || cards.isEmpty ? cards : [.group(rounds: rounds, cards)]
    return draft
  }

  private static func card(
    _ session: Session, before next: Session?, _ defaults: Session?, line: () -> Int?,
    _ report: inout ImportReport
  ) throws(ImportError) -> WorkoutCard {
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
    return WorkoutCard(
      title: title.isEmpty ? "Work" : title,
      timing: .countdown(duration, advance: waits ? .manual : .automatic))
  }

  /// The parts of the file that are about times.
  private struct File: Decodable {
    let sessions: [Session]
    let defaults: Session?
    let iterations: Double?
    let isEndless: Bool
    /// The names of all other keys.
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

  /// A session, or the defaults for sessions.
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
