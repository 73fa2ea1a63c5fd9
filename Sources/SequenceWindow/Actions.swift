import SequencePresentation
import SequenceRunner

/// The actions of the application: one per transition of a run, for buttons, keys, menus and D-Bus alike.
final class Actions {
  /// Performs a transition of the run that is shown.
  var onRunCommand: (RunCommand) -> Void = { _ in }
  /// Turns the sounds of the run that is shown on or off.
  var onToggleSound: () -> Void = {}
  /// Shows the next run.
  var onNextRun: () -> Void = {}
  /// Asks whether to stop the run that is shown.
  var onAskStop: () -> Void = {}
  /// Makes a file of the sequence of the run that is shown.
  var onSave: () -> Void = {}
  private let application: Application
  private let save: Action
  private var runActions: [(action: Action, isPossible: (RunView) -> Bool)] = []

  init(_ application: Application) throws(ToolkitError) {
    self.application = application
    save = try Action.make("save-sequence") { _ in }
    try add("toggle", .toggle)
    try add("pause", .pause) { !$0.isPaused }
    try add("resume", .resume()) { $0.isPaused }
    try add("resume-count-suspend", .resume(countingSuspend: true)) { $0.canCountSuspend }
    try add("next", .next)
    try add("skip", .skip)
    try add("back", .back)
    try add("restart", .restart)
    try add("stop", .stop)
    let toggleSound = try Action.make("toggle-sound") { [unowned self] _ in onToggleSound() }
    application.add(toggleSound)
    runActions.append((toggleSound, { _ in true }))
    let nextRun = try Action.make("next-run") { [unowned self] _ in onNextRun() }
    application.add(nextRun)
    runActions.append((nextRun, { _ in true }))
    let askStop = try Action.make("ask-stop") { [unowned self] _ in onAskStop() }
    application.add(askStop)
    runActions.append((askStop, { _ in true }))
    application.add(save)
    save.on("activate") { [unowned self] in onSave() }
    let extend = try Action.make("extend", parameter: "i") { [unowned self] parameter in
      if let seconds = parameter?.number { onRunCommand(.extend(.seconds(seconds))) }
    }
    application.add(extend)
    runActions.append((extend, { $0.position.target != nil }))
  }

  private func add(
    _ name: String, _ command: RunCommand, if isPossible: @escaping (RunView) -> Bool = { _ in true }
  ) throws(ToolkitError) {
    let action = try Action.make(name) { [unowned self] _ in onRunCommand(command) }
    application.add(action)
    runActions.append((action, isPossible))
  }

  /// Adds an action that doesn't need a run.
  func add(_ name: String, _ perform: @escaping () -> Void) throws(ToolkitError) {
    application.add(try Action.make(name) { _ in perform() })
  }

  /// Adds an action with a text.
  func add(_ name: String, _ perform: @escaping (String) -> Void) throws(ToolkitError) {
    application.add(
      try Action.make(name, parameter: "s") { parameter in
        if let text = parameter?.text { perform(text) }
      })
  }

  /// Enables the actions that the page of a run offers; none without one.
  ///
  /// - Parameter canSave: whether the run has no file yet.
  func enable(for page: RunView?, canSave: Bool = false) {
    save.isEnabled = canSave
    for (action, isPossible) in runActions { action.isEnabled = page.map(isPossible) ?? false }
  }
}
