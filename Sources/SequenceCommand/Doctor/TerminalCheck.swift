import Glibc
import Platform
import SequenceRunner
import TerminalDisplay

/// The terminal, if there is one, and what the live display makes of it.
enum TerminalCheck {
  static func finding(_ context: CommandContext) -> Finding {
    guard context.hasTerminal else {
      return Finding(.terminal, .ok, "none here; sequence run prints a line for each event then")
    }
    let environment = context.environment
    let style = DisplayStyle.detect(environment: environment)
    let type = environment["TERM"] ?? ""
    let size = TerminalSize(of: STDOUT_FILENO).map { "\($0.columns) x \($0.rows)" } ?? "of unknown size"
    let colours =
      switch style.colours {
      case .none: "no colours"
      case .sixteen: "16 colours"
      case .palette: "256 colours"
      case .trueColour: "16 million colours"
      }
    let text = "\(type.isEmpty ? "of no TERM" : type), \(size), \(colours)"
    guard !["", "dumb"].contains(type) else {
      return Finding(.terminal, .note, text, advice: "set TERM to what it is, as xterm-256color")
    }
    switch style.glyphs {
    case .unicode: return Finding(.terminal, .ok, text + ", Unicode")
    case .ascii where type == "linux": return Finding(.terminal, .ok, text + ", ASCII, as its fonts are")
    case .ascii:
      return Finding(
        .terminal, .note, text + ", ASCII, since the locale is not UTF-8", advice: "set LANG=C.UTF-8")
    }
  }
}
