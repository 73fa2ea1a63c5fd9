import SequencePresentation
import SequenceRunner
import SequencePlatform

struct Shortcut {
  /// Its effect, in the words of the help window.
  let title: String
  /// The keys in GTK's notation, the one that is shown first.
  let keys: [String]
  /// The action with its prefix; `nil` if GTK does it.
  var action: String?
  var argument: Int?
  /// Whether whatever has the focus, such as a menu, gets the key first.
  var comesLast = false

  static let ofRun = [
    Shortcut(
      title: translated("Pause or resume"), keys: ["space", "KP_Space", "AudioPlay", "AudioPause"],
      action: "app.toggle"),
    Shortcut(
      title: translated("Complete the step"), keys: ["n", "Page_Down", "AudioNext"], action: "app.next"),
    Shortcut(title: translated("Skip the step"), keys: ["s"], action: "app.skip"),
    Shortcut(
      title: translated("Back to the previous step"), keys: ["b", "Page_Up", "AudioPrev"], action: "app.back"),
    Shortcut(title: translated("Restart the step"), keys: ["r"], action: "app.restart"),
    Shortcut(
      title: translated("Add 30 seconds"), keys: ["plus", "<Shift>plus", "KP_Add", "equal"],
      action: "app.extend",
      argument: 30),
    Shortcut(
      title: translated("Subtract 30 seconds"), keys: ["minus", "KP_Subtract"], action: "app.extend",
      argument: -30),
    Shortcut(
      title: translated("Count the time of a suspend"), keys: ["c"], action: "app.resume-count-suspend"),
    Shortcut(title: translated("Show the steps, or the time"), keys: ["l"], action: "app.show-steps"),
    Shortcut(title: translated("Mute the run, or play its sounds"), keys: ["m"], action: "app.toggle-sound"),
  ]

  static let ofWindow = [
    Shortcut(title: translated("New timer"), keys: ["<Control>t"], action: "app.new-timer"),
    Shortcut(title: translated("Next run"), keys: ["<Control>Tab"], action: "app.next-run"),
    Shortcut(title: translated("New sequence"), keys: ["<Control>n"], action: "app.new"),
    Shortcut(title: translated("Full screen"), keys: ["F11"], action: "app.full-screen"),
    Shortcut(title: translated("Small window"), keys: ["<Control>m"], action: "app.small-window"),
    Shortcut(
      title: translated("Leave the full screen or the small window"), keys: ["Escape"],
      action: "app.leave-full-screen", comesLast: true),
    Shortcut(title: translated("Timer"), keys: ["<Alt>1"], action: "app.timer"),
    Shortcut(title: translated("Library"), keys: ["<Alt>2"], action: "app.library"),
    Shortcut(title: translated("History"), keys: ["<Alt>3"], action: "app.history"),
    Shortcut(title: translated("Search the library"), keys: ["<Control>f"], action: "app.search"),
    Shortcut(title: translated("Back to the library"), keys: ["<Alt>Left"], action: "app.leave-detail"),
    Shortcut(title: translated("Preferences"), keys: ["<Control>comma"], action: "app.preferences"),
    Shortcut(
      title: translated("Keyboard shortcuts"), keys: ["<Control>question"], action: "win.show-help-overlay"),
    Shortcut(title: translated("Main menu"), keys: ["F10"]),
    Shortcut(title: translated("Close the window"), keys: ["<Control>w"], action: "window.close"),
    Shortcut(title: translated("Quit"), keys: ["<Control>q"], action: "app.quit"),
  ]

  static let ofEditor = [
    Shortcut(
      title: translated("Add a card below"), keys: ["<Control>Return", "<Control>KP_Enter"],
      action: "editor.add-below"),
    Shortcut(title: translated("Duplicate"), keys: ["<Control>d"], action: "editor.duplicate"),
    Shortcut(title: translated("Delete"), keys: ["Delete", "KP_Delete"], action: "editor.delete"),
    Shortcut(title: translated("Move up"), keys: ["<Alt>Up"], action: "editor.up"),
    Shortcut(title: translated("Move down"), keys: ["<Alt>Down"], action: "editor.down"),
    // The list does these.
    Shortcut(title: translated("Select more cards"), keys: ["<Shift>Down", "<Shift>Up"]),
    Shortcut(title: translated("Select all cards"), keys: ["<Control>a"]),
    Shortcut(title: translated("Put in a group"), keys: ["<Control>g"], action: "editor.group"),
    Shortcut(title: translated("Ungroup"), keys: ["<Control><Shift>g"], action: "editor.ungroup"),
    Shortcut(
      title: translated("Paste titles, a card for each line"), keys: ["<Control>v"], action: "editor.paste"),
    Shortcut(title: translated("Undo"), keys: ["<Control>z"], action: "editor.undo"),
    Shortcut(title: translated("Redo"), keys: ["<Control><Shift>z"], action: "editor.redo"),
    Shortcut(title: translated("Start the sequence"), keys: ["F5"], action: "editor.start"),
    Shortcut(
      title: translated("Open the menu of a card"), keys: ["<Shift>F10", "Menu"], action: "editor.menu"),
    Shortcut(title: translated("Close a card"), keys: ["Escape"], action: "editor.close"),
  ]

  var label: String {
    var rest = keys[0][...]
    var parts: [String] = []
    for (modifier, name) in [
      ("<Control>", translated("Ctrl")), ("<Shift>", translated("Shift")), ("<Alt>", translated("Alt")),
    ]
    where rest.hasPrefix(modifier) {
      parts.append(name)
      rest = rest.dropFirst(modifier.count)
    }
    let names = [
      "space": translated("Space"), "plus": "+", "minus": "-", "question": "?", "comma": ",",
      "Escape": translated("Esc"),
      "Return": translated("Enter"),
    ]
    parts.append(names[String(rest)] ?? (rest.count == 1 ? rest.uppercased() : String(rest)))
    return parts.joined(separator: "+")
  }

  /// The help window, and the controllers of the keys of the run and of those that come last, in GtkBuilder's XML.
  static var interface: [UInt8] {
    let groups = [
      (translated("Run"), ofRun), (translated("Editor"), ofEditor), (translated("Window"), ofWindow),
    ].map { title, shortcuts in
      object("GtkShortcutsGroup", [("title", title)], shortcuts.map(\.help))
    }
    let section = object(
      "GtkShortcutsSection", [("section-name", "shortcuts"), ("max-height", "10")], groups)
    let help = object("GtkShortcutsWindow", id: "help", [("modal", "True")], [section])
    let keys = object(
      "GtkShortcutController", id: "run_keys", [("propagation-phase", "none")], ofRun.map(\.reaction))
    let last = object(
      "GtkShortcutController", id: "last_keys", [], ofWindow.filter(\.comesLast).map(\.reaction))
    return Array("<interface>\(help)\(keys)\(last)</interface>".utf8)
  }

  static var editorInterface: [UInt8] {
    let keys = object("GtkShortcutController", id: "editor_keys", [], ofEditor.map(\.reaction))
    return Array("<interface>\(keys)</interface>".utf8)
  }

  static var libraryInterface: [UInt8] {
    let menu = ofEditor.filter { $0.action == "editor.menu" }.map { shortcut in
      var shortcut = shortcut
      shortcut.action = "library.menu"
      return shortcut.reaction
    }
    return Array(
      "<interface>\(object("GtkShortcutController", id: "library_keys", [], menu))</interface>".utf8)
  }

  private var help: String {
    Shortcut.object("GtkShortcutsShortcut", [("title", title), ("accelerator", keys[0])])
  }

  private var reaction: String {
    var properties = [("trigger", keys.joined(separator: "|"))]
    if let action { properties.append(("action", "action(\(action))")) }
    if let argument { properties.append(("arguments", String(argument))) }
    return Shortcut.object("GtkShortcut", properties)
  }

  private static func object(
    _ type: String, id: String? = nil, _ properties: [(name: String, value: String)],
    _ children: [String] = []
  ) -> String {
    func escaped(_ text: String) -> String {
      String(text.flatMap { ["<": "&lt;", ">": "&gt;", "&": "&amp;"][$0] ?? String($0) })
    }
    return "<object class=\"\(type)\"\(id.map { " id=\"\($0)\"" } ?? "")>"
      + properties.map { "<property name=\"\($0.name)\">\(escaped($0.value))</property>" }.joined()
      + children.map { "<child>\($0)</child>" }.joined() + "</object>"
  }
}

/// The actions of the application: one per transition of a run, for buttons, keys, menus and D-Bus alike.
final class Actions {
  var onRunCommand: (RunCommand) -> Void = { _ in }
  var onToggleSound: () -> Void = {}
  var onNextRun: () -> Void = {}
  var onShowSteps: () -> Void = {}
  var onAskStop: () -> Void = {}
  var onSave: () -> Void = {}
  private let application: Application
  private let save: Action
  let smallWindow: Action
  private var runActions: [(action: Action, isPossible: (RunView) -> Bool)] = []

  init(_ application: Application) throws(Problem) {
    self.application = application
    save = try Action.make("save-sequence") { _ in }
    smallWindow = try Action.make("small-window") { _ in }
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
    let showSteps = try Action.make("show-steps") { [unowned self] _ in onShowSteps() }
    application.add(showSteps)
    runActions.append((showSteps, { $0.position.stepCount != 1 }))
    let askStop = try Action.make("ask-stop") { [unowned self] _ in onAskStop() }
    application.add(askStop)
    runActions.append((askStop, { _ in true }))
    application.add(smallWindow)
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
  ) throws(Problem) {
    let action = try Action.make(name) { [unowned self] _ in onRunCommand(command) }
    application.add(action)
    runActions.append((action, isPossible))
  }

  func add(_ name: String, _ perform: @escaping () -> Void) throws(Problem) {
    application.add(try Action.make(name) { _ in perform() })
  }

  func add(_ name: String, _ perform: @escaping (String) -> Void) throws(Problem) {
    application.add(
      try Action.make(name, parameter: "s") { parameter in
        if let text = parameter?.text { perform(text) }
      })
  }

  /// - Parameter canSave: whether the run has no file yet.
  func enable(for page: RunView?, canSave: Bool = false) {
    save.isEnabled = canSave
    for (action, isPossible) in runActions { action.isEnabled = page.map(isPossible) ?? false }
  }
}
