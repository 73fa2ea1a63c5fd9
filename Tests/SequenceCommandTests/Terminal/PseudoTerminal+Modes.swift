import Glibc
import TestSupport

@testable import SequenceCommand

extension PseudoTerminal {
  var modes: String { get throws { try TerminalModes.current(of: person).text } }
}

extension TerminalModes {
  fileprivate var text: String {
    let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    let characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    return "\(flags) \(characters)"
  }
}
