import Presentation
import SequenceRunner

/// The form in which the status is printed.
enum StatusForm: Sendable {
  case words
  case json
  case template(StatusTemplate)
  case bar(StatusBar, StatusTemplate)

  /// The form that a command line asks for.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    for form in ["format", "bar"] where arguments.has("json") && arguments.has(form) {
      throw UsageError("--json and --\(form) are two forms of the same; leave one of them out")
    }
    let format = arguments.value("format")
    if let name = arguments.value("bar") {
      self = .bar(try StatusBar(name), try StatusTemplate(format ?? StatusBar.usualTemplate))
    } else if let format {
      self = .template(try StatusTemplate(format))
    } else {
      self = arguments.has("json") ? .json : .words
    }
  }

  /// The line for a look.
  func line(_ look: RunLook) throws -> String {
    switch self {
    case .words: StatusText.line(look)
    case .json: try JSONText.encode(StatusDocument(look))
    case .template(let template): template.filled(with: look)
    case .bar(let bar, let template): try bar.line(look, template)
    }
  }

  /// When to look again whether the line is another one, on the boot clock; `nil` if only the user changes it.
  func nextLook(after look: RunLook) -> Duration? {
    switch self {
    case .words, .json: look.next(.time)
    case .template(let template): look.next(template.beats)
    case .bar(let bar, let template): look.next(bar.beats.union(template.beats))
    }
  }
}
