import Glibc
import Notifier
import SequenceRunner

// The program that waits and delivers; `sequence` starts it when it is needed.
//
//     sequence-agent --state-dir DIR

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, arguments.first == "--state-dir", let path = arguments.last else {
  try writeAll("sequence-agent: usage: sequence-agent --state-dir DIR\n".utf8, to: STDERR_FILENO)
  exit(64)
}
do {
  // The desktop's thread may be in a call that takes long: nothing waits for it on the way out.
  switch try Agent(directory: StateDirectory(path: path)).run() {
  case .nothingToDo, .alreadyRunning: _exit(0)
  case .signal(let number): _exit(128 + number)
  }
} catch {
  try writeAll("sequence-agent: \(error)\n".utf8, to: STDERR_FILENO)
  _exit(74)
}
