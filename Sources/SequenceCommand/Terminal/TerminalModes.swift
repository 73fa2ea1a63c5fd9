import CSequenceLinux
import Glibc
import SequencePlatform

/// The kernel's settings for the input and output of a terminal.
struct TerminalModes {
  private(set) var settings: termios

  /// Reads the current modes of a terminal.
  static func current(of descriptor: Int32) throws(Problem) -> TerminalModes {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      throw Terminal.problem(of: "tcgetattr", code: errno)
    }
    return TerminalModes(settings: settings)
  }

  /// Applies the modes to a terminal.
  func apply(to descriptor: Int32) throws(Problem) {
    var settings = settings
    while unsafe tcsetattr(descriptor, TCSANOW, &settings) != 0 {
      guard errno == EINTR else { throw Terminal.problem(of: "tcsetattr", code: errno) }
    }
  }

  /// The same modes, with every key delivered immediately and without echo.
  ///
  /// The keys that send signals stay enabled: the main loop handles Ctrl-C and Ctrl-Z. Ctrl-S no longer stops
  /// the output, because that would stop the program too.
  var forKeys: TerminalModes {
    var modes = self
    modes.settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    modes.settings.c_iflag &= ~tcflag_t(IXON)
    unsafe withUnsafeMutableBytes(of: &modes.settings.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
    return modes
  }
}
