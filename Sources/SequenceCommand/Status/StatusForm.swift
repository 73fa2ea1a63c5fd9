import Presentation
import SequenceRunner

/// The form in which the status is printed.
enum StatusForm: Sendable {
  case words
  case json
  case template(Template)
  case bar(StatusBar, Template)

  static let format = Option<Template>(
    "format", "TEMPLATE", "print a text with fields in braces, such as {state} {step} {time}",
    parse: template)
  static let bar = Option<StatusBar>(
    "bar", "BAR", "print what a status bar reads: waybar, i3status, polybar, tmux or plain")

  /// The form that a command line asks for.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let (format, bar) = (try arguments[StatusForm.format], try arguments[StatusForm.bar])
    if arguments.has(.json), format != nil || bar != nil {
      let other = format == nil ? StatusForm.bar.name : StatusForm.format.name
      throw UsageError("--json and --\(other) are two forms of the same", remedy: "leave one of them out")
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

  private static func template(_ text: String) throws(UsageError) -> Template {
    do throws(TemplateError) {
      return try Template(text)
    } catch {
      throw UsageError(error)
    }
  }

  /// The line for a look.
  func line(_ status: RunStatus) throws -> String {
    switch self {
    case .words: StatusText.line(status)
    case .json: try JSONText.encode(StatusDocument(status))
    case .template(let template): template.filled(with: status)
    case .bar(let bar, let template): try bar.line(status, template)
    }
  }

  /// When to look again whether the line is another one, on the boot clock; `nil` if only the user changes it.
  func nextLook(after status: RunStatus) -> Duration? {
    switch self {
    case .words, .json: status.next(.time)
    case .template(let template): status.next(template.beats)
    case .bar(let bar, let template): status.next(bar.beats.union(template.beats))
    }
  }
}
