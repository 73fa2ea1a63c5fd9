import Platform
import SequenceRunner

/// The actions of the application: one per transition of a run, for buttons, keys, menus and D-Bus alike.
final class Actions {
  /// Performs a transition of the run that is shown.
  var onRunCommand: (RunCommand) -> Void = { _ in }
  private var runActions: [(action: Action, isPossible: (RunPage) -> Bool)] = []

  init(_ application: Application) throws(ToolkitError) {
    try add("toggle", .toggle, to: application)
    try add("pause", .pause, to: application) { !$0.isPaused }
    try add("resume", .resume(), to: application) { $0.isPaused }
    try add("resume-count-suspend", .resume(countingSuspend: true), to: application) { $0.suspend != nil }
    try add("next", .next, to: application)
    try add("skip", .skip, to: application)
    try add("back", .back, to: application)
    try add("restart", .restart, to: application)
    try add("stop", .stop, to: application)
    let extend = try Action.make("extend", parameter: "i") { [unowned self] parameter in
      if let seconds = parameter?.number { onRunCommand(.extend(.seconds(seconds))) }
    }
    application.add(extend)
    runActions.append((extend, \.canExtend))
  }

  private func add(
    _ name: String, _ command: RunCommand, to application: Application,
    if isPossible: @escaping (RunPage) -> Bool = { _ in true }
  ) throws(ToolkitError) {
    let action = try Action.make(name) { [unowned self] _ in onRunCommand(command) }
    application.add(action)
    runActions.append((action, isPossible))
  }

  /// Enables the actions that the page of a run offers; none without one.
  func enable(for page: RunPage?) {
    for (action, isPossible) in runActions { action.isEnabled = page.map(isPossible) ?? false }
  }
}
