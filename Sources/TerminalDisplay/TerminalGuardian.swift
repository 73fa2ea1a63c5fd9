import CSequenceLinux
import Glibc
import Platform
import SequenceRunner

/// A tiny process that gives the terminal back if the program is killed in a way that no handler sees.
///
/// A shell waits at one end of a socket whose other end only the program has. If that end closes before the
/// word `done` has come, the program is dead: the shell leaves the alternate screen and sets the terminal's
/// modes, unless somebody has set them already: the user's own shell does so as soon as it sees the program
/// die, and is given a moment for it, as changing them under its hands would spoil the line it reads. The
/// guardian is in a session of its own, so that the terminal's signals pass it by, and it ends with the
/// program, or that moment later.
struct TerminalGuardian {
  private let process: pid_t
  /// The program's end of the socket.
  let descriptor: Int32

  /// $1: the modes to go back to; $2: those of the display; $3: what leaves the screen.
  private static let script = """
    trap '' HUP INT QUIT TERM TSTP PIPE
    state=up
    while read -r word; do
      [ "$word" = done ] && exit 0
      state=$word
    done
    [ "$state" = up ] || exit 0
    printf %s "$3"
    exec 0<&1
    sleep 0.2
    [ "$(stty -g)" = "$2" ] && stty "$1"
    """

  /// Starts a guardian of a terminal.
  init(output: Int32, saved: TerminalModes, display: TerminalModes) throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw .system(call: "socketpair", code: errno) }
    let arguments = [
      "sh", "-c", TerminalGuardian.script, "sequence-display", saved.sttyText, display.sttyText,
      ScreenSequences.leave,
    ]
    defer { _ = close(ends[1]) }
    do {
      process = try TerminalGuardian.spawn(arguments, input: ends[1], output: output)
    } catch {
      _ = close(ends[0])
      throw error
    }
    descriptor = ends[0]
  }

  /// Tells the guardian whether the display has the terminal.
  func tell(isUp: Bool) {
    TerminalGuardian.send(isUp ? "up\n" : "down\n", to: descriptor)
  }

  /// Ends the guardian and waits until it is gone, a few milliseconds.
  func end() {
    TerminalGuardian.dismiss(descriptor)
    // The socket's end alone would end it, so nothing can keep it.
    _ = close(descriptor)
    // It fails only if there is no such child.
    _ = try? Termination.wait(for: process)
  }

  /// Tells a guardian to end; safe in a signal handler.
  static func dismiss(_ descriptor: Int32) {
    send("done\n", to: descriptor)
  }

  /// A guardian that is gone already has nothing to be told, so failing is no matter.
  private static func send(_ word: StaticString, to descriptor: Int32) {
    _ = unsafe Glibc.send(descriptor, word.utf8Start, word.utf8CodeUnitCount, Int32(MSG_NOSIGNAL))
  }
}
