import FoundationEssentials
import SequenceFiles
import SequencePlatform
package import SequencePresentation
package import SequenceRunner

package struct Hook: Equatable, Sendable {
  package let events: Set<RunEvent.Name>
  package let condition: StepCondition?
  /// The remaining time of a countdown at its `remaining` event.
  package let remaining: Duration
  /// The name of the program, which is looked up in `PATH`, or its path.
  package let program: String
  package let arguments: [Template]
  package let timeout: Duration

  package static let defaultTimeout = Duration.seconds(10)
  /// The remaining time of a countdown at a `remaining` event, unless the hook sets another one.
  package static let defaultRemaining = Duration.seconds(3)

  package init(
    events: Set<RunEvent.Name>, condition: StepCondition? = nil, remaining: Duration = defaultRemaining,
    program: String,
    arguments: [Template] = [],
    timeout: Duration = defaultTimeout
  ) {
    self.events = events
    self.condition = condition
    self.remaining = remaining
    self.program = program
    self.arguments = arguments
    self.timeout = timeout
  }

  /// Its name in reports: the program and its arguments, as written.
  package var name: String {
    TextSafety.sanitised(([program] + arguments.map(\.text)).joined(separator: " ").prefix(200).description)
  }

  package func isFor(_ event: RunEvent, in run: ActiveRunSnapshot) -> Bool {
    if case .remaining(let left) = event.kind, left != remaining { return false }
    return events.contains(event.kind.name) && condition?.holds(at: event, in: run) ?? true
  }
}

extension Configuration {
  /// - Parameter cues: those of a run, or of the configuration.
  package func subscribedEvents(with cues: Cues) -> Set<RunEvent.Name> {
    hooks.reduce(into: cues.events) { $0.formUnion($1.events) }
  }
}

/// How hooks are written in the configuration, and nowhere else.
extension Hook {
  static let most = 64
  static let mostWords = 64
  static let longestTimeout = Duration.seconds(600)

  static func list(_ node: YAMLNode) throws(SequenceFileError) -> [Hook] {
    guard case .list(let nodes) = node.content else {
      throw wrong("hooks must be a list, not \(node.kind)", node)
    }
    guard nodes.count <= most else {
      throw wrong("there are \(nodes.count) hooks", remedy: "use at most \(most)", node)
    }
    var hooks: [Hook] = []
    for node in nodes { hooks.append(try Hook(node)) }
    return hooks
  }

  private init(_ node: YAMLNode) throws(SequenceFileError) {
    let fields = try Fields(node, of: "a hook", known: ["on", "when", "run", "timeout", "remaining"])
    let events = try Hook.events(try fields.required("on"))
    let command = try Hook.command(try fields.required("run"))
    var (timeout, remaining) = (Hook.defaultTimeout, Hook.defaultRemaining)
    if let node = fields.optional("timeout") {
      timeout = try node.duration()
      guard timeout <= Hook.longestTimeout else {
        throw wrong("timeout must be at most 10m, not \(node.kind)", node)
      }
    }
    if let node = fields.optional("remaining") {
      guard events.contains(.remaining) else {
        throw wrong(
          "remaining works only with the event remaining", remedy: "add remaining to on, or remove it", node)
      }
      remaining = try node.duration()
    }
    let condition = try fields.optional("when").map { node throws(SequenceFileError) in
      try StepCondition(node)
    }
    self.init(
      events: events, condition: condition, remaining: remaining, program: command.program,
      arguments: command.arguments,
      timeout: timeout)
  }

  private static func events(_ node: YAMLNode) throws(SequenceFileError) -> Set<RunEvent.Name> {
    let nodes: [YAMLNode]
    switch node.content {
    case .list(let list): nodes = list
    case .scalar: nodes = [node]
    case .mapping: throw wrong("on must be a list of events, not a mapping", node)
    }
    guard !nodes.isEmpty else { throw wrong("on is empty", remedy: "write at least one event", node) }
    var events: Set<RunEvent.Name> = []
    for node in nodes {
      guard case .scalar(let text) = node.content, let event = RunEvent.Name(rawValue: text) else {
        let known = RunEvent.Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw wrong("unknown event \(node.kind)", remedy: "use \(known)", node)
      }
      events.insert(event)
    }
    return events
  }

  private static func command(
    _ node: YAMLNode
  ) throws(SequenceFileError) -> (program: String, arguments: [Template]) {
    guard case .list(let nodes) = node.content, let first = nodes.first else {
      throw wrong(
        "run must be a list of a program and its arguments, not \(node.kind)",
        remedy: "write it like [spd-say, \"{step}\"]", node)
    }
    guard nodes.count <= mostWords else {
      throw wrong("run has \(nodes.count) words", remedy: "use at most \(mostWords)", node)
    }
    var words: [Template] = []
    for node in nodes { words.append(try template(node)) }
    guard let program = words.removeFirst().plain, !program.isEmpty else {
      throw wrong("\(first.kind) is not a program", remedy: "write its name, without fields", first)
    }
    guard !program.unicodeScalars.contains("/") || isAbsolute(program) else {
      throw wrong(
        "\(first.kind) is not a program", remedy: "write a name in PATH, or a path that begins with /", first)
    }
    return (program, words)
  }

  private static func template(_ node: YAMLNode) throws(SequenceFileError) -> Template {
    guard case .scalar(let text) = node.content else {
      throw wrong("a word of run must be text, not \(node.kind)", node)
    }
    guard !text.utf8.contains(0), text.utf8.count <= 65_536 else {
      throw wrong("a word of run has a NUL character or more than 64 KiB", node)
    }
    do throws(Problem) {
      return try Template(text)
    } catch {
      throw wrong(error, node)
    }
  }
}

package enum StepCondition: Equatable, Sendable {
  case rest
  case work
  /// Cards with a title, in upper or lower case.
  case title(String)

  /// Whether it holds at an event of a run.
  ///
  /// The step is that of the event: the first one at the start of the run, the one that is over at the end of a step, and
  /// the last one at the end of the run.
  package func holds(at event: RunEvent, in run: ActiveRunSnapshot) -> Bool {
    let card = run.timeline.card(at: event.step)
    return switch self {
    case .rest: card.isRest
    case .work: !card.isRest
    case .title(let title): card.title.lowercased() == title
    }
  }

  init(_ node: YAMLNode) throws(SequenceFileError) {
    switch node.content {
    case .scalar("rest"): self = .rest
    case .scalar("work"): self = .work
    case .mapping:
      let title = try Fields(node, of: "when", known: ["title"]).required("title")
      guard case .scalar(let text) = title.content, !text.isEmpty else {
        throw wrong("title must be the title of a card, not \(title.kind)", title)
      }
      self = .title(text.lowercased())
    case .scalar, .list:
      throw wrong(
        "when must be rest, work or a title, not \(node.kind)", remedy: "for a title, write { title: Focus }",
        node)
    }
  }
}

/// An event as hooks get it: in templates and in the environment; no value has a control character.
package struct HookWords: Equatable, Sendable {
  private let fields: [TemplateField: String]
  private let variables: [HookVariable: String]

  package init(_ event: RunEvent, in run: ActiveRunSnapshot) {
    let view = RunView(run, at: event)
    let position = view.position
    fields = Dictionary(
      uniqueKeysWithValues: TemplateField.allCases.map { field in
        let value = field.value(of: event) ?? field.value(of: view)
        return (field, TextSafety.sanitised(value))
      })
    let seconds = { (duration: Duration, up: Bool) in
      String((duration.nanoseconds + (up ? 999_999_999 : 0)) / 1_000_000_000)
    }
    let outcome = if case .stepEnd(let outcome) = event.kind { outcome.rawValue } else { "" }
    let text = { (number: Int?) in number.map { String($0) } ?? "" }
    variables = [
      .event: event.kind.name.rawValue,
      .at: event.at.wall.description,
      .runID: run.runID.uuidString,
      .runName: run.name,
      .title: view.sequence,
      .cardTitle: view.title,
      .cardNote: view.note ?? "",
      .stepNumber: String(position.step.number),
      .stepCount: text(position.stepCount),
      .round: text(position.step.rounds.last?.round),
      .rounds: text(position.step.rounds.last?.of),
      .nextTitle: view.next?.title ?? "",
      .duration: event.target.map { seconds($0, true) } ?? "",
      .elapsed: seconds(event.elapsed, false),
      .remaining: event.remaining.map { seconds($0, true) } ?? "",
      .outcome: outcome,
    ].mapValues { TextSafety.sanitised($0) }
  }

  package subscript(_ variable: HookVariable) -> String { variables[variable] ?? "" }

  /// The environment variables, each as `NAME=value`.
  package var environment: [String] { HookVariable.allCases.map { "\($0.rawValue)=\(self[$0])" } }

  /// A template with its fields filled, as one argument of a program.
  ///
  /// A value with a hyphen at the beginning gets a space before it: a title must not become an option.
  package func filled(_ template: Template) -> String {
    let value = { (field: TemplateField) in fields[field] ?? "" }
    let text = template.filled(with: value)
    // By bytes, as a program reads it: with an accent on it "-" is another character to Swift.
    let looksLikeOption = text.utf8.first == UInt8(ascii: "-")
    return looksLikeOption && template.beginsWithValue(value) ? " " + text : text
  }
}

package enum HookVariable: String, CaseIterable, Sendable {
  case event = "SEQUENCE_EVENT"
  case at = "SEQUENCE_AT"
  case runID = "SEQUENCE_RUN_ID"
  case runName = "SEQUENCE_RUN_NAME"
  case title = "SEQUENCE_TITLE"
  case cardTitle = "SEQUENCE_CARD_TITLE"
  case cardNote = "SEQUENCE_CARD_NOTE"
  case stepNumber = "SEQUENCE_STEP_NUMBER"
  case stepCount = "SEQUENCE_STEP_COUNT"
  case round = "SEQUENCE_ROUND"
  case rounds = "SEQUENCE_ROUNDS"
  case nextTitle = "SEQUENCE_NEXT_TITLE"
  case duration = "SEQUENCE_DURATION"
  case elapsed = "SEQUENCE_ELAPSED"
  case remaining = "SEQUENCE_REMAINING"
  case outcome = "SEQUENCE_OUTCOME"
}
