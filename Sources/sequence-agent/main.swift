import FoundationEssentials
import Glibc
import NotifierLedger
import NotifierDelivery
import SequencePlanning
import SequencePlatform
import SequenceAgent
import SequenceConfiguration
import SequenceFiles
import SequenceImport
import SequenceRunner
import SequenceStore

// The program that waits and delivers; `sequence` starts it when it is needed.
//
//     sequence-agent --state-dir DIR
//
// It also does what other commands need GLib for, which exists only as a shared library and would slow down every start
// of `sequence`. For `sequence doctor` it examines the desktop and prints JSON; for `sequence import` it converts a
// file of another program to a sequence file and prints that and a report as JSON.
//
//     sequence-agent --examine [--notify | --sample]
//     sequence-agent --import FILE [FORMAT]
//
// The session bus starts it for a search of the desktop.
//
//     sequence-agent --search

keepOwnerRights()
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--import", arguments.count == 2 {
  answer { WorkoutImporter.answer(ofFileAt: arguments[1], as: nil) }
}
if arguments.first == "--import", arguments.count == 3, let format = WorkoutFormat(rawValue: arguments[2]) {
  answer { WorkoutImporter.answer(ofFileAt: arguments[1], as: format) }
}
do {
  // Started by cron, it is to find the desktop all the same.
  try EnvironmentVariables.adoptRuntimeDirectory()
} catch {
  report(error)
  _exit(71)
}
if arguments == ["--search"] {
  do {
    try DesktopSearch.serve(.process) { report($0) }
    _exit(0)
  } catch {
    report(error)
    _exit(74)
  }
}
if arguments.first == "--examine", arguments.count <= 2 {
  switch arguments.dropFirst().first {
  case nil: examineDesktop()
  case "--notify": examineDesktop(showing: NotificationStyle(urgency: .low), for: .seconds(1))
  // As the user's notifications look and sound at the end of a step.
  case "--sample": examineDesktop(showing: sampleStyle(), for: .seconds(5))
  case .some: break
  }
}
let isRestarted = arguments.count == 3 && arguments[2] == "--awaited"
guard arguments.count == 2 || isRestarted, arguments.first == "--state-dir" else {
  let usage =
    "usage: sequence-agent --state-dir DIR, sequence-agent --examine [--notify | --sample], sequence-agent --import FILE [FORMAT], or sequence-agent --search"
  try writeAll("sequence-agent: \(usage)\n".utf8, to: STDERR_FILENO)
  exit(64)
}
let path = arguments[1]
// Remembered if the program starts again for another store.
let isAwaited = isRestarted || StartReport.isAwaited
do {
  // The desktop's thread may be in a call that takes long: nothing waits for it on the way out.
  let configuration = Configuration.path(environment: .process)
  let agent = Agent(
    directory: StateDirectory(path: path), configuration: configuration, isAwaited: isAwaited,
    onStart: { try StartReport.send() },
    onFailure: report)
  switch try agent.run() {
  case .nothingToDo, .alreadyRunning: _exit(0)
  case .storeReplaced: try restart()
  case .signal(let number): _exit(128 + number)
  }
} catch {
  report(error)
  _exit(74)
}

/// Writes a message into the agent's log, which standard error is; `sequence agent status` shows the last one.
func report(_ error: any Error) {
  // The wall clock needs no boot.
  StandardStreams.printError("\(SystemClock.ofUnknownBoot.now().wall) \(TextSafety.sanitised("\(error)"))")
}

/// Starts the program again for the store that is in place, if there is one.
func restart() throws {
  guard StateDirectory(path: path).hasStore else { _exit(0) }
  try replaceThisProcess(
    by: "/proc/self/exe", ["sequence-agent", "--state-dir", path] + (isAwaited ? ["--awaited"] : []))
}

/// Returns the style of notifications at the end of a step; the default one if the configuration has a mistake.
func sampleStyle() -> NotificationStyle {
  // The doctor and the preferences report the mistake.
  Configuration.reading(.process).configuration.styles[.stepEnd] ?? NotificationStyle()
}

/// - Parameters:
///   - style: the style of a test notification; `nil` if none is shown.
///   - time: how long the test notification is shown.
func examineDesktop(showing style: NotificationStyle? = nil, for time: Duration = .zero) -> Never {
  answer {
    let examiner = try DesktopProbe(clock: try SystemClock())
    var examination = try examiner.examine()
    let trial = examination.canShow ? try style.map { try examiner.tryShowing($0, for: time) } : nil
    // A server that was started for it has a name now.
    if examination.server?.state == .startable, let trial, trial.number != nil {
      examination = try examiner.examine()
    }
    examination.trial = trial
    return examination
  }
}

func answer(_ value: () throws -> some Encodable) -> Never {
  do {
    let encoder = JSONEncoder()
    encoder.userInfo = LocalizedText.translatable
    try writeAll(try encoder.encode(try value()) + [0x0a], to: STDOUT_FILENO)
    // The desktop's thread may be in a call that takes long: nothing waits for it on the way out.
    _exit(0)
  } catch {
    report(error)
    _exit(74)
  }
}
