import CSequenceLinux
import Glibc

/// How the kernel treats what goes to and comes from a terminal.
struct TerminalModes {
  private(set) var settings: termios

  /// The present modes of a terminal.
  static func current(of descriptor: Int32) throws(TerminalError) -> TerminalModes {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      throw .system(call: "tcgetattr", code: errno)
    }
    return TerminalModes(settings: settings)
  }

  /// Gives a terminal these modes.
  func apply(to descriptor: Int32) throws(TerminalError) {
    var settings = settings
    while unsafe tcsetattr(descriptor, TCSANOW, &settings) != 0 {
      guard errno == EINTR else { throw .system(call: "tcsetattr", code: errno) }
    }
  }

  /// These modes with every key delivered at once and not echoed.
  ///
  /// The keys that send signals stay as they are: Ctrl-C and Ctrl-Z are the main loop's. Ctrl-S no longer
  /// stops the output, which would stop the program with it.
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
