import FoundationEssentials
import Glibc
import NotificationLedger
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
  let configuration = Configuration.path(environment: ProcessInfo.processInfo.environment)
  let agent = Agent(directory: StateDirectory(path: path), configuration: configuration, onFailure: report)
  switch try agent.run() {
  case .nothingToDo, .alreadyRunning: _exit(0)
  case .storeReplaced: try startAnew()
  case .signal(let number): _exit(128 + number)
  }
} catch {
  report(error)
  _exit(74)
}

/// Writes a message into the agent's log, which standard error is; `sequence agent status` shows the last one.
func report(_ error: any Error) {
  // Without clocks there is no moment to tell, and without a log nowhere left to tell it.
  let moment = (try? SystemClock().now().wall.description) ?? ""
  try? writeAll("\(moment) \(error)\n".utf8, to: STDERR_FILENO)
}

/// Begins anew with the store that is there now, if there is one; what this process holds goes with its program.
func startAnew() throws {
  guard unsafe access(path + "/sequence.db", F_OK) == 0 else { _exit(0) }
  try replaceThisProcess(by: "/proc/self/exe", ["sequence-agent", "--state-dir", path])
}
