import SequenceClient
import SequenceConfiguration
import SequencePlatform
import SequencePresentation
import SequenceRunner

enum StatusForm: Sendable {
  case words
  case table(columns: Int, ellipsis: Character)
  case json
  case template(Template)
  case bar(StatusBar, Template)

  static let format = Option<Template>(
    "format", "TEMPLATE", "print a text with fields, such as '{state} {step} {time}'",
    parse: template)
  static let bar = Option<StatusBar>(
    "bar", "BAR", "output for waybar, i3status, polybar, tmux or plain text")

  /// - Parameter columns: the columns of the terminal.
  init(
    _ arguments: ParsedArguments, _ environment: EnvironmentVariables,
    columns: Int = TerminalSize.fallback.columns
  ) throws(Failure) {
    let (format, bar) = (try arguments[StatusForm.format], try arguments[StatusForm.bar])
    if arguments.has(.json), format != nil || bar != nil {
      let other = format == nil ? StatusForm.bar.name : StatusForm.format.name
      throw Failure(usage: "--json and --\(other) cannot be combined", remedy: "remove one of them")
    }
    if let bar {
      let template = if let format { format } else { try StatusForm.template(StatusBar.usualTemplate) }
      self = .bar(bar, template)
    } else if let format {
      self = .template(format)
    } else {
      let isOfOne = try arguments[RunArgument.run] != nil
      let glyphs = DisplayStyle.detect(environment: environment).glyphs
      self =
        arguments.has(.json)
        ? .json : isOfOne ? .words : .table(columns: columns, ellipsis: glyphs.ellipsis)
    }
  }

  private static func template(_ text: String) throws(Failure) -> Template {
    do throws(Problem) {
      return try Template(text)
    } catch {
      throw Failure(error, .usage)
    }
  }

  /// - Parameter next: the next schedule, for an answer without a run.
  func line(_ status: RunStatus, next: Schedule? = nil) throws -> String {
    let later = next.map { "; " + translated("next: {}", $0.announcement(now: status.reading.wall)) } ?? ""
    return switch self {
    case .words: StatusText.line(status) + later
    case .table(let columns, let ellipsis):
      StatusText.lines(status, in: columns, ellipsis: ellipsis) + later
    case .json: try JSONText.encode(StatusDocument(status, next: next))
    case .template(let template): template.filled(with: status)
    case .bar(let bar, let template): try bar.line(status, template)
    }
  }

  /// Returns the next schedule, if the form shows it.
  func next(_ client: Client) throws -> Schedule? {
    switch self {
    case .words, .table, .json: try client.nextSchedule()
    case .template, .bar: nil
    }
  }

  /// The next time on the boot clock that may change the line; `nil` if only the user can change it.
  func nextLook(after status: RunStatus) -> Duration? {
    switch self {
    case .words, .table, .json: VisibleClocks.time.nextChange(of: status)
    case .template(let template): template.clocks.nextChange(of: status)
    case .bar(let bar, let template): bar.clocks.union(template.clocks).nextChange(of: status)
    }
  }
}

enum StatusText {
  /// The run in a line, or all runs in a table, the current one first and with a star.
  ///
  /// - Parameter room: the columns of the terminal. A name is never cut, because commands take it.
  static func lines(_ status: RunStatus, in room: Int, ellipsis: Character) -> String {
    guard status.runs.count > 1 else { return line(status) }
    var table = TextTable([
      .init(title: ""), .init(title: translated("run")), .init(title: translated("state"), isOptional: true),
      title(translated("title")),
      .init(title: translated("time")), .init(title: translated("until"), isOptional: true),
      .init(title: translated("round"), isOptional: true), .init(title: translated("step"), isOptional: true),
      title(translated("next")),
    ])
    let views = status.statuses.compactMap(RunView.init)
    for view in views {
      let position = view.position
      table.add([
        view.runID == status.runs.first?.runID ? "*" : "", view.runName, view.stateName.translation,
        view.title, view.timeInWords,
        [view.end, view.lateness].compactMap { $0 }.joined(separator: ", "),
        view.rounds.map { $0.text("/") }.joined(separator: " "),
        Step.Round(round: position.step.number, of: position.stepCount).text("/"), view.next?.title ?? "",
      ])
    }
    let suspends = views.compactMap { view in
      view.suspend.map { "\(view.runName): \(SuspendText.line($0))" }
    }
    return (table.lines(in: room, ellipsis: ellipsis) + suspends).joined(separator: "\n")
  }

  private static func title(_ title: String) -> TextTable.Column {
    .init(title: title, most: 24, least: 8, isOptional: true)
  }

  static func line(_ status: RunStatus) -> String {
    guard let view = RunView(status) else { return translated("idle") }
    let next = view.next.map { ", " + translated("next: {}", quote($0.title)) } ?? ""
    let end =
      (view.end.map { ", " + translated("until {}", $0) } ?? "") + (view.lateness.map { ", \($0)" } ?? "")
    let why = view.suspend.map { "; \(SuspendText.line($0))" } ?? ""
    let step = translated("{step} of {sequence}", ["step": view.line, "sequence": quote(view.sequence)])
    return "\(view.stateName.translation): \(step)\(next)\(end)\(why)"
  }

  /// A key that changes exactly if the lines or the runs do.
  static func key(_ status: RunStatus) -> String {
    let runs = status.runs.map { "\($0.runID) \($0.log.count) \($0.current.startedAt.microseconds)" }
    return runs.joined(separator: " ") + lines(status, in: .max, ellipsis: " ")
  }
}

/// Drops lines that are equal to the last printed line.
struct ChangeFilter {
  private let form: StatusForm
  private var shown: String?

  init(_ form: StatusForm) {
    self.form = form
  }

  mutating func line(_ status: RunStatus) throws -> String? {
    let line = try form.line(status)
    // In JSON every reading differs, so the displayed second and the state are compared.
    let key = if case .json = form { StatusText.key(status) } else { line }
    guard key != shown else { return nil }
    shown = key
    return line
  }
}
