import SequencePresentation
import SequenceRunner

/// The output form of `status`.
enum StatusForm: Sendable {
  case words
  case json
  case template(Template)
  case bar(StatusBar, Template)

  static let format = Option<Template>(
    "format", "TEMPLATE", "print a text with fields, such as '{state} {step} {time}'",
    parse: template)
  static let bar = Option<StatusBar>(
    "bar", "BAR", "output for waybar, i3status, polybar, tmux or plain text")

  /// Reads the form from a command line.
  init(_ arguments: ParsedArguments) throws(Failure) {
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
      self = arguments.has(.json) ? .json : .words
    }
  }

  private static func template(_ text: String) throws(Failure) -> Template {
    do throws(Problem) {
      return try Template(text)
    } catch {
      throw Failure(error, .usage)
    }
  }

  /// Formats a status as a line.
  func line(_ status: RunStatus) throws -> String {
    switch self {
    case .words: StatusText.lines(status)
    case .json: try JSONText.encode(StatusDocument(status))
    case .template(let template): template.filled(with: status)
    case .bar(let bar, let template): try bar.line(status, template)
    }
  }

  /// The next time on the boot clock that may change the line; `nil` if only the user can change it.
  func nextLook(after status: RunStatus) -> Duration? {
    switch self {
    case .words, .json: VisibleClocks.time.nextChange(of: status)
    case .template(let template): template.clocks.nextChange(of: status)
    case .bar(let bar, let template): bar.clocks.union(template.clocks).nextChange(of: status)
    }
  }
}
