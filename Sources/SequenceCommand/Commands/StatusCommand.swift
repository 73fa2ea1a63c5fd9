import Glibc
import SequenceRunner

/// `status`: where the active run stands, once or whenever that changes.
enum StatusCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    if arguments.has("json"), arguments.has("format") {
      throw UsageError("--json and --format are two forms of the same; leave one of them out")
    }
    let template = try arguments.value("format").map { text throws(UsageError) in try StatusTemplate(text) }
    let store = try context.store(arguments)
    guard arguments.has("follow") else {
      try context.print(try text(try store.look(), arguments, template))
      return .done
    }
    let waiter = try StoreWaiter(store)
    var shown: String?
    var shownKey: String?
    while true {
      let look = try store.look()
      // In JSON every reading differs; what counts is whether the shown second or the state does.
      let key = arguments.has("json") ? StatusText.key(look) : try text(look, arguments, template)
      if key != shownKey {
        shown = try text(look, arguments, template)
        try context.print(shown ?? "")
        shownKey = key
      }
      // Who read along and has seen enough is not left with a program that waits for the next change.
      if try waiter.wait(until: look.nextTick, orGone: STDOUT_FILENO) == [STDOUT_FILENO] { return .done }
    }
  }

  private static func text(
    _ look: RunLook, _ arguments: ParsedArguments, _ template: StatusTemplate?
  ) throws -> String {
    if arguments.has("json") { return try JSONText.encode(StatusDocument(look)) }
    return template?.filled(with: look) ?? StatusText.line(look)
  }
}

/// The status in words.
enum StatusText {
  static func line(_ look: RunLook) -> String {
    guard let run = look.run, let position = look.position else { return "idle" }
    let next = position.next.map { ", next \(quote($0.card.title))" } ?? ""
    return "\(position.state.rawValue): \(StepText.line(position)) of \(quote(run.sequence.title))\(next)"
  }

  /// What changes exactly when the line above, or the run, does.
  static func key(_ look: RunLook) -> String {
    guard let run = look.run else { return "" }
    return "\(run.runID) \(run.log.count) \(run.current.startedAt.microseconds) \(line(look))"
  }
}

/// A text with fields in braces that are filled from the status.
struct StatusTemplate {
  static let fields = [
    "state", "sequence", "step", "note", "time", "elapsed", "remaining", "index", "count", "round", "rounds",
    "next", "total.elapsed", "total.remaining",
  ]

  private let parts: [Part]

  private enum Part {
    case text(String)
    case field(String)
  }

  /// The template of a text; `{{` and `}}` stand for braces.
  init(_ text: String) throws(UsageError) {
    var parts: [Part] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      parts.append(.text(String(rest[..<brace])))
      let after = rest[rest.index(after: brace)...]
      if after.first == rest[brace] {
        parts.append(.text(String(rest[brace])))
        rest = after.dropFirst()
      } else {
        guard rest[brace] == "{", let end = after.firstIndex(of: "}") else {
          throw UsageError("a brace in the template has no partner; write {{ for a brace")
        }
        let name = String(after[..<end])
        guard StatusTemplate.fields.contains(name) else {
          throw UsageError(
            "there is no field \(quote(name)); there are \(StatusTemplate.fields.joined(separator: ", "))")
        }
        parts.append(.field(name))
        rest = after[after.index(after: end)...]
      }
    }
    self.parts = parts + [.text(String(rest))]
  }

  /// The text with what the run of a look has for each field; nothing where it has nothing.
  func filled(with look: RunLook) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let name): TextSafety.sanitised(StatusTemplate.value(of: name, look))
      }
    }.joined()
  }

  private static func value(of field: String, _ look: RunLook) -> String {
    guard let run = look.run, let position = look.position else { return field == "state" ? "idle" : "" }
    let innermost = position.step.rounds.last
    switch field {
    case "state": return position.state.rawValue
    case "sequence": return run.sequence.title
    case "step": return position.step.card.title
    case "note": return position.step.card.note ?? ""
    case "time": return time(position)
    case "elapsed": return ClockText.elapsed(position.elapsed)
    case "remaining": return position.remaining.map { ClockText.remaining($0) } ?? ""
    case "index": return String(position.step.index + 1)
    case "count": return String(position.stepCount)
    case "round": return innermost.map { String($0.round) } ?? ""
    case "rounds": return innermost.map { String($0.of) } ?? ""
    case "next": return position.next?.card.title ?? ""
    case "total.elapsed": return ClockText.elapsed(position.totalElapsed)
    case "total.remaining": return position.totalRemaining.map { ClockText.remaining($0) } ?? ""
    default: return ""
    }
  }

  /// What the clock of the step shows: what is left, what is over, or what has gone by.
  private static func time(_ position: RunPosition) -> String {
    guard let remaining = position.remaining else { return ClockText.elapsed(position.elapsed) }
    return remaining > .zero ? ClockText.remaining(remaining) : "+" + ClockText.elapsed(position.overtime)
  }
}
