import SequenceClient
import SequencePlatform

/// Where a live display is, as far as that decides whether its user can see it.
struct DisplayPlace {
  private let environment: EnvironmentVariables
  private let clock: any ClockSource
  /// The words that ask tmux about the pane of the display; `nil` outside of tmux.
  private let question: [String]?
  /// Whether the terminal is on another computer, whose user doesn't see the desktop of this one.
  let isRemote: Bool

  /// How long tmux may take.
  private static let limit = Duration.milliseconds(500)

  init(_ environment: EnvironmentVariables, clock: any ClockSource) {
    self.environment = environment
    self.clock = clock
    isRemote = environment["SSH_CONNECTION"]?.isEmpty == false
    guard environment["TMUX"]?.isEmpty == false, let pane = environment["TMUX_PANE"],
      let program = findProgram("tmux", in: environment["PATH"])
    else {
      question = nil
      return
    }
    let format = "#{session_attached} #{window_active} #{?window_zoomed_flag,#{pane_active},1}"
    question = [program, "display-message", "-p", "-t", pane, format]
  }

  /// Whether tmux has to be asked, because the terminal may not report the focus.
  var isInTmux: Bool { question != nil }

  /// Whether the user can see the display, as far as that is known.
  ///
  /// It takes up to half a second in tmux. If tmux doesn't answer, they can't.
  func isSeen() throws(SystemError) -> Bool {
    guard !isRemote else { return false }
    guard let question else { return true }
    let answer = try BoundedProcess(
      question, environment: environment, within: DisplayPlace.limit, by: clock, until: { $0.hasSuffix("\n") }
    )
    let parts = answer.output.split { $0.isWhitespace }
    return parts.count == 3 && !parts.contains("0")
  }
}
