import Foundation

/// The files of a scenario: sequences and configurations.
extension PairScenario {
  static let sequenceID = "FACE0000-0000-4000-8000-000000000000"
  static let title = "Pairs & more"

  var text: String {
    let document = document
    return source == .json ? PairScenario.json(document) : "\(PairScenario.yaml(document, 0))"
  }

  private typealias Field = (key: String, value: PairValue)

  private var document: PairValue {
    var fields: [Field] = [("title", .text(PairScenario.title))]
    if identifiers == .given { fields.append(("id", .text(PairScenario.sequenceID))) }
    if policyPlace != .configuration { fields.append((PairTerms.onSuspend, .text(policy))) }
    fields.append(("cards", .list(written.map(value))))
    return .fields(fields)
  }

  private func value(_ element: PairElement) -> PairValue {
    switch element {
    case .group(let rounds, let inner):
      return .fields([
        ("rounds", .text(rounds.map(String.init) ?? "forever")), ("cards", .list(inner.map(value))),
      ])
    case .card(let card):
      var fields: [Field] = [("title", .text(card.title))]
      if identifiers == .given { fields.append(("id", .text(card.id))) }
      switch card.timing {
      case .automatic(let seconds): fields.append(("countdown", .text("\(seconds)s")))
      case .manual(let seconds):
        fields += [("countdown", .text("\(seconds)s")), ("advance", .text("manual"))]
      case .open: fields.append(("countUp", .fields([])))
      case .goal(let seconds, let reminders, let every):
        let goal: [Field] = [
          ("goal", .text("\(seconds)s")), ("reminders", .text("\(reminders)")), ("every", .text("\(every)s")),
        ]
        fields.append(("countUp", .fields(goal)))
      }
      if card.skipsLast { fields.append(("skipLast", .text("true"))) }
      return .fields(fields)
    }
  }

  private static func yaml(_ value: PairValue, _ indent: Int) -> String {
    let space = String(repeating: "  ", count: indent)
    switch value {
    case .text(let text): return " \"\(text)\"\n"
    case .fields(let fields) where fields.isEmpty: return " {}\n"
    case .fields(let fields):
      return (indent == 0 ? "" : "\n")
        + fields.map { "\(space)\($0.key):\(yaml($0.value, indent + 1))" }.joined()
    case .list(let values):
      return "\n"
        + values.map { value in
          let text = yaml(value, indent + 1).drop { $0 == "\n" }
          return "\(space)-" + text.dropFirst(space.count + 1)
        }.joined()
    }
  }

  /// Returns a value as JSON in ASCII.
  private static func json(_ value: PairValue) -> String {
    switch value {
    case .text(let text):
      return "\""
        + text.utf16.map { unit in
          unit < 0x80 ? String(UnicodeScalar(UInt8(unit))) : "\\u" + String(unit, radix: 16)
        }.joined() + "\""
    case .fields(let fields):
      return "{" + fields.map { "\"\($0.key)\": \(json($0.value))" }.joined(separator: ", ") + "}"
    case .list(let values): return "[" + values.map(json).joined(separator: ", ") + "]"
    }
  }

  var configuration: String {
    var lines: [String] = []
    switch policyPlace {
    case .file: break
    case .configuration: lines.append("\(PairTerms.onSuspend): \(policy)")
    case .fileBeforeConfiguration:
      lines.append("\(PairTerms.onSuspend): \(policy == "continue" ? "pause" : "continue")")
    }
    if wakefulness == .kept { lines.append(PairTerms.keepAwake) }
    if cues == .configured { lines.append("cues: { sound: true, speech: true }") }
    if hooks == .configured {
      lines.append("hooks: [{ on: [step-start, step-end, pause, resume, stop, run-end], run: [\"true\"] }]")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

private indirect enum PairValue {
  case text(String)
  case fields([(key: String, value: PairValue)])
  case list([PairValue])
}

/// The terms of the documented interface, in one place.
enum PairTerms {
  static let onSuspend = "onSuspend"
  static let keepAwake = "keepAwake: system"
  static let countSuspend = "--count-suspend"
  static let suspend = "suspend"
  /// The name of a step number in options and documents.
  static let stepNumber = "number"
  static let firstStep = 1

  static let runStart = "run-start"
  static let stepStart = "step-start"
  static let pause = "pause"
  static let `return` = "return"
  static let resume = "resume"
  static let extend = "extend"
  static let stop = "stop"
  static let finish = "run-end"
  static let overtime = "overtime"
  static let goal = "goal"
}
