import CSequenceAdwaita
import Glibc
import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore

/// The program `sequence-window`.
package enum WindowProgram {
  /// The name of the application on the session bus and to the desktop.
  static let id = "org.sequence_timer.sequence"

  /// Shows the window until it is closed.
  ///
  /// - Parameter words: the words after the program's name.
  /// - Returns: the exit status.
  package static func main(_ words: [String]) -> Int32 {
    keepOwnerRights()
    let options: WindowOptions
    do throws(Problem) {
      options = try WindowOptions(words, environment: .process)
    } catch {
      log(error)
      return 64
    }
    do {
      try Database.useMemoryOnDemand()
      return try run(options)
    } catch {
      log(error)
      return 74
    }
  }

  static func log(_ error: any Error) {
    StandardStreams.printError("sequence-window: \(TextSafety.sanitised(explained(error).description))")
  }

  private static func run(_ options: WindowOptions) throws -> Int32 {
    let environment = Rendering.useSoftware()
    // On X11 this is the class of the window, by which a desktop finds its entry; on Wayland the application's id is.
    unsafe g_set_prgname(id)
    // GTK itself would end the program with a message of its own.
    guard gtk_init_check() != 0 else {
      log(
        Problem("no display can be opened", remedy: "run it in a desktop session, or use sequence attach"))
      return 69
    }
    let application = try Application(id: options.applicationID)
    let session = WindowSession(application, options, environment)
    let terminating = [SIGTERM, SIGINT].map { LoopSource.signal($0) { session.end() } }
    defer { for source in terminating { source.cancel() } }
    application.onStartup { session.start() }
    application.onActivate { session.window?.present() }
    try application.register()
    if options.isFullScreen { session.activateOnceShown("enter-full-screen") }
    if let file = options.file { session.activateOnceShown("show-sequence", file) }
    if let text = options.search { session.activateOnceShown("search-for", text) }
    if options.asksStop { session.activateOnceShown("ask-stop") }
    let status = application.run()
    if let failure = session.failure { throw failure }
    return status
  }
}

private final class WindowSession {
  private let application: Application
  private let options: WindowOptions
  private let environment: EnvironmentVariables
  private(set) var window: MainWindow?
  private(set) var failure: (any Error)?
  private var warnings: [Problem] = []
  private var client: Client?
  private var preferences: PreferencesDialog?
  /// Whether an agent that didn't answer at once is being asked.
  private var isAsking = false

  init(_ application: Application, _ options: WindowOptions, _ environment: EnvironmentVariables) {
    self.application = application
    self.options = options
    self.environment = environment
  }

  func start() {
    do {
      loadStyle(PackageResources.style_css)
      let actions = try Actions(application)
      let context = ClientContext(
        environment: environment, clock: try SystemClock(),
        startAgent: { [unowned self] in try startAgent($0) },
        askPatiently: { [unowned self] in askAgent(at: $0, then: $1) }
      ) { [unowned self] warning in
        if let window { window.frame.show(warning) } else { warnings.append(warning) }
      }
      let client = try Client(in: options.directory, context)
      self.client = client
      let made = try MainWindow(RunControl(client), actions, application)
      application.add(window: made.frame.widget)
      try add(actions, for: made)
      window = made
      // A dialog over a window that isn't shown yet would be behind it.
      let early = warnings
      LoopSource.soon { for warning in early { made.frame.show(warning) } }
    } catch {
      failure = error
      application.quit()
    }
  }

  /// Starts an agent, and warns later if it can't run, without holding the main loop up.
  private func startAgent(_ directory: StateDirectory) throws -> Int32 {
    let agent = try AgentLauncher.launch(directory, environment)
    Background.run("agent") {
      Result { try agent.waitForStart() }
    } then: { [weak self] result in
      if case .failure(let error) = result { self?.client?.warn(ofAgent: error) }
    }
    return agent.process
  }

  /// Asks an agent that didn't answer at once, one question at a time, without holding the main loop up.
  private func askAgent(
    at path: String, then act: @escaping (Result<PresenceSocket.Reply, SystemError>) -> Void
  ) {
    guard !isAsking else { return }
    isAsking = true
    Background.run("agent") {
      // Nobody waits for the answer, and on a busy computer an agent takes more than the time that a command has.
      Result { () throws(SystemError) in try PresenceSocket.ask(path: path, within: .seconds(10)) }
    } then: { [weak self] reply in
      self?.isAsking = false
      act(reply)
    }
  }

  func activateOnceShown(_ action: String, _ text: String? = nil) {
    application.activate()
    application.activate(action: action, text)
  }

  private func openPreferences(of window: MainWindow) {
    if let preferences { return preferences.present() }
    guard let client else { return }
    do {
      let dialog = try PreferencesDialog(client, over: window.frame.widget)
      dialog.onChange = { [unowned window] in
        client.ensureAgent()
        window.runSide.applyConfiguration()
      }
      dialog.onClose = { [unowned self] in preferences = nil }
      preferences = dialog
      dialog.present()
    } catch {
      window.frame.show(error)
    }
  }

  /// Ends the program as if the user closed the window: not if a text can't be saved, and the user doesn't know that.
  private func quit() {
    guard preferences?.flush() ?? true, window?.sequenceSide.editor.canLeave(isClosing: true) ?? true else {
      return
    }
    end()
  }

  func end() {
    window?.sequenceSide.editor.commit()
    window?.sequenceSide.commitRemark()
    preferences?.flush()
    window?.storeSize()
    application.quit()
  }

  private func add(_ actions: Actions, for window: MainWindow) throws {
    let application = application
    try actions.add("quit") { [unowned self] in quit() }
    try actions.add("full-screen") { [unowned window] in window.runSide.toggleFullScreen() }
    try actions.add("enter-full-screen") { [unowned window] in window.runSide.enterFullScreen() }
    try actions.add("leave-full-screen") { [unowned window] in window.runSide.leaveFullScreen() }
    actions.smallWindow.on("activate") { [unowned window] in window.runSide.toggleSmallWindow() }
    try actions.add("leave-detail") { [unowned window] in window.sequenceSide.leaveDetail() }
    try actions.add("edit") { [unowned window] in window.sequenceSide.editSequence() }
    try actions.add("edit-text") { [unowned window] in window.sequenceSide.editText() }
    try actions.add("show-properties") { [unowned window] in window.sequenceSide.showProperties() }
    try actions.add("undo-edit") { [unowned window] in window.sequenceSide.undoEdit() }
    try actions.add("show-details") { [unowned window] in
      window.frame.widget.inform(translated("Something Needs Your Attention"), $0)
    }
    try actions.add("undo-removal") { [unowned window] in window.sequenceSide.undoRemoval($0) }
    try actions.add("duplicate") { [unowned window] in window.sequenceSide.duplicateSequence() }
    try actions.add("schedule") { [unowned window] in window.sequenceSide.askSchedule() }
    try actions.add("remove-schedule") { [unowned window] in window.sequenceSide.removeSchedule($0) }
    try actions.add("rename") { [unowned window] in window.sequenceSide.askRename() }
    try actions.add("delete-run") { [unowned window] in window.sequenceSide.deleteRun() }
    try actions.add("trash") { [unowned window] in window.sequenceSide.trashSequence() }
    try actions.add("save-run") { [unowned window] in window.sequenceSide.saveRun($0) }
    try actions.add("new") { [unowned window] in window.sequenceSide.showNew() }
    try actions.add("create") { [unowned window] in window.sequenceSide.createSequence() }
    try actions.add("import") { [unowned window] in window.sequenceSide.importFile() }
    try actions.add("preferences") { [unowned self, unowned window] in openPreferences(of: window) }
    try actions.add("about") { [unowned window] in window.showAbout() }
    try actions.add("timer") { [unowned window] in window.frame.show(view: "timer") }
    try actions.add("library") { [unowned window] in window.frame.show(view: "library") }
    try actions.add("search") { [unowned window] in window.search() }
    try actions.add("search-for") { [unowned window] in window.search(for: $0) }
    try actions.add("history") { [unowned window] in window.frame.show(view: "history") }
    try actions.add("new-timer") { [unowned window] in window.runSide.openQuickTimer() }
    try actions.add("show-run") { [unowned window] in window.runSide.showRun(named: $0) }
    try actions.add("start-timer") { [unowned window] in window.runSide.startQuickTimer($0) }
    try actions.add("start-sequence") { [unowned window] in window.runSide.startSequence($0) }
    try actions.add("show-sequence") { [unowned window] in window.sequenceSide.openSequence(named: $0) }
    try actions.add("add-starter") { [unowned window] in window.sequenceSide.addStarter($0) }
    for shortcut in Shortcut.ofWindow where !shortcut.comesLast {
      if let action = shortcut.action { application.setKeys(shortcut.keys, for: action) }
    }
  }
}

struct WindowOptions: Equatable {
  let directory: StateDirectory
  /// The id of the application: a window of another state directory is another application.
  let applicationID: String
  let isFullScreen: Bool
  let asksStop: Bool
  let file: String?
  /// A text to search for in the library.
  let search: String?

  private enum Option: String {
    case stateDirectory = "--state-dir"
    case fullScreen = "--full-screen"
    case askStop = "--ask-stop"
    case search = "--search"
  }

  init(_ words: [String], environment: EnvironmentVariables) throws(Problem) {
    var path: String?
    var file: String?
    var search: String?
    var flags: Set<Option> = []
    let find: (String) -> (Option, Bool)? = {
      Option(rawValue: $0).map { ($0, $0 == .stateDirectory || $0 == .search) }
    }
    for part in CommandLineScanner(words, find: find) {
      switch part {
      case .option(.stateDirectory, let value) where !value.isEmpty: path = value
      case .option(.search, let value): search = value
      case .missingValue(.search): throw Problem("--search needs a text")
      case .option(.stateDirectory, _), .missingValue:
        throw Problem("--state-dir needs a directory")
      case .option(let flag, _): flags.insert(flag)
      case .argument(let word) where !word.isEmpty && file == nil: file = absolutePath(word)
      case .argument(let word), .unknownOption(let word), .unexpectedValue(_, let word):
        throw Problem("unknown argument \(quote(word))", remedy: "see sequence help window")
      }
    }
    guard
      let directory = path.map({ StateDirectory(path: $0) }) ?? StateDirectory(environment: environment)
    else {
      throw StoreError.noHome.problem
    }
    guard directory.isText else {
      throw Problem(
        "the state directory \(quote(directory.path)) is not UTF-8",
        remedy: "rename it, or use another one with --state-dir")
    }
    self.directory = directory
    let place = WindowOptions.real(directory.path)
    let isUsual = StateDirectory(ofUser: environment).map { WindowOptions.real($0.path) } == place
    let hash = StableHash.fnv1a128(Array(place.utf8))
    applicationID = isUsual ? WindowProgram.id : WindowProgram.id + ".d" + String(hash, radix: 16)
    isFullScreen = flags.contains(.fullScreen)
    asksStop = flags.contains(.askStop)
    self.file = file
    self.search = search
  }

  /// The path of a directory that may be missing, without links and from the root.
  private static func real(_ path: String) -> String {
    let absolute = absolutePath(path)
    if let resolved = unsafe realpath(absolute, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    let parts = pathParts(absolute)
    guard let name = parts.last else { return absolute }
    let parent = real("/" + parts.dropLast().joined(separator: "/"))
    return parent == "/" ? "/" + name : parent + "/" + name
  }
}
