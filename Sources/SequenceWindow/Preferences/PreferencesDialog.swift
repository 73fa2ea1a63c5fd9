import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequenceRunner

/// The window of the preferences, which writes each change into `config.yaml` at once.
final class PreferencesDialog {
  let widget: PreferencesWindow
  private let context: ClientContext
  private let file: PreferencesFile
  private let defaults: Preferences
  private var preferences: Preferences
  /// The mistake in the file; the defaults are shown as long as it has one.
  private var mistake: SequenceFileError?
  private var rows: [any SettingRow] = []
  private let login: LoginRow
  private let trials: Trials
  private let trySpeech: Button
  private let noSounds: ActionRow
  private let noSpeech: ActionRow
  private var watch: FileWatch?
  private var panel: BusName?
  /// Whether a panel shows icons; `nil` until that is known.
  private var hasPanel: Bool?
  private let firstRow: ComboRow
  private let panelIconRow: ActionRow
  private let panelIcon: Switch
  private let fileRow: ActionRow
  private let groups: [PreferencesGroup]
  private let mistakes: [(group: PreferencesGroup, row: ActionRow)]
  var onChange: () -> Void = {}
  var onClose: () -> Void = {}

  init(_ client: Client, over parent: Window) throws {
    context = client.context
    file = try PreferencesFile(context.environment)
    defaults = try Preferences()
    preferences = defaults
    let interface = try Interface(PackageResources.preferences_ui)
    widget = try interface.object("preferences")
    widget.setParent(parent)
    widget.nameSearchButton(translated("Search"))
    firstRow = try interface.object("onSuspend")
    panelIconRow = try interface.object("panel_icon_row")
    panelIcon = try interface.object("panel.icon")
    fileRow = try interface.object("file_row")
    groups = try [
      "suspend", "desktop", "sounds", "speech", "both", "moments", "notifications", "importance",
    ].map { try interface.object("\($0)_group") }
    mistakes = try ["general", "sound", "notifications"].map {
      (try interface.object("mistake_\($0)_group"), try interface.object("mistake_\($0)"))
    }
    login = LoginRow(try interface.object("login_row"), try interface.object("login"), client)
    trials = Trials(context)
    trySpeech = try interface.object("try_speech")
    noSounds = try interface.object("no_sounds")
    noSpeech = try interface.object("no_speech")
    let actions = try ActionGroup.make()
    try actions.add("edit") { [weak self] in self?.editAsText() }
    widget.insert(actions, prefix: "preferences")
    try addRows(interface)
    trySpeech.onClicked { [weak self] in self?.trials.speakExample() }
    let test: Button = try interface.object("test")
    test.onClicked { [weak self] in self?.trials.showNotification() }
    connect()
    showPrograms()
    reload()
    login.refresh()
  }

  func present() {
    let isNew = !widget.isVisible
    widget.present()
    // The first widget would be the button of the search.
    if isNew { LoopSource.soon { [weak self] in self?.firstRow.grabFocus() } }
  }

  private func connect() {
    login.onError = { [weak self] in self?.show(Message($0)) }
    trials.onProblem = { [weak self] in self?.show($0) }
    widget.answer("close-request") { [weak self] in
      guard let self else { return false }
      watch = nil
      // The handlers of the widgets need the dialog until GTK has destroyed them.
      LoopSource.soon { [weak self] in self?.onClose() }
      return false
    }
    // The window below may close it, too.
    widget.on("unmap") { [weak self] in self?.flush() }
    // The user may have installed a program meanwhile.
    widget.on("notify::is-active") { [weak self] in self?.showPrograms() }
    do {
      watch = try FileWatch(file.path) { [weak self] in self?.reload() }
    } catch {
      show(Message(error))
    }
    panel = BusName("org.kde.StatusNotifierWatcher") { [weak self] isThere in
      self?.hasPanel = isThere
      self?.showPanel()
    }
  }

  private func showPrograms() {
    trySpeech.isSensitive = trials.hasSpeech
    noSpeech.isVisible = !trials.hasSpeech
    noSounds.isVisible = trials.lacksSounds
  }

  // MARK: - Rows

  /// Shows each setting in the widget of the interface whose id has its keys, such as `panel.icon`.
  private func addRows(_ interface: Interface) throws {
    for setting in Configuration.settings {
      let widget = interface.widget(setting.id)
      if let row: ComboRow = widget?.cast() { try addChoice(setting, row, interface) }
      if let scale: Scale = widget?.cast() { try addNumber(setting, scale) }
      if let button: SpinButton = widget?.cast() { try addNumber(setting, button) }
      if let toggle: Switch = widget?.cast() {
        rows.append(SwitchRow(setting, toggle) { [weak self] in self?.change($0, to: $1) })
      }
    }
  }

  private func addChoice(_ setting: Setting, _ row: ComboRow, _ interface: Interface) throws {
    if widget.hasLargeText { row.showValueBelow() }
    var chooseFile: (() -> Void)?
    if setting.keys.starts(with: ["cues", "sounds"]), let sound = CueSound(rawValue: setting.keys[2]) {
      chooseFile = { [weak self] in self?.chooseFile(for: setting) }
      addPlayButton(of: sound, try interface.object("\(setting.id).play"))
    }
    rows.append(
      ChoiceRow(setting, row, onChooseFile: chooseFile) { [weak self] in self?.change($0, to: $1) })
  }

  private func addPlayButton(of sound: CueSound, _ button: Button) {
    button.onClicked { [weak self] in
      guard let self else { return }
      flush()
      if let name = preferences.playedSound(sound) { trials.play(name, volume: preferences.volume) }
    }
    rows.append(PlayButton(sound, button))
  }

  private func addNumber(_ setting: Setting, _ field: any NumberField) throws {
    // A page that is scrolled must not change its settings.
    try field.scrollsPage()
    rows.append(NumberRow(setting, field) { [weak self] in self?.change($0, to: $1) })
  }

  // MARK: - The file

  private func reload() {
    do throws(SequenceFileError) {
      preferences = try file.read()
      mistake = nil
    } catch {
      mistake = error
      preferences = defaults
    }
    show()
  }

  private var isUnsaved = false

  private func change(_ setting: Setting, to value: SettingValue) {
    do throws(Message) {
      preferences = try file.change(setting, to: value)
      mistake = nil
      show()
      onChange()
    } catch {
      isUnsaved = true
      // The user sees the content of the file.
      reload()
      show(error)
    }
  }

  /// Writes the changes that wait for further ones; returns whether all could be written.
  @discardableResult
  func flush() -> Bool {
    isUnsaved = false
    for row in rows { row.flush() }
    return !isUnsaved
  }

  private func show() {
    for row in rows { row.show(preferences) }
    for group in groups { group.isSensitive = mistake == nil }
    for (group, row) in mistakes {
      group.isVisible = mistake != nil
      if let mistake {
        row.set(title: PreferencesFile.mistake(mistake), TextSafety.sanitised(mistake.description))
      }
    }
    let hooks = preferences.hookCount
    fileRow.setSubtitle(
      hooks == 0
        ? translated("Everything else, such as hooks")
        : plural("1 hook is set there", "{} hooks are set there", count: hooks))
    showPanel()
  }

  private func showPanel() {
    // An icon that is on can be turned off without a panel, too.
    panelIconRow.isSensitive = hasPanel != false || panelIcon.isOn
    panelIconRow.setSubtitle(
      hasPanel == false
        ? translated("This desktop has no panel for icons") : translated("Minutes left, with a menu"))
  }

  private func editAsText() {
    flush()
    do {
      try file.createIfMissing()
      try widget.openFile(file.path, context.environment)
    } catch {
      show(Message(error))
    }
  }

  private func chooseFile(for setting: Setting) {
    widget.chooseFile(translated("Choose a Sound"), accept: translated("Choose")) { [weak self] path in
      if let problem = MediaFile.problem(path, TextSafety.sanitised(path)) {
        self?.show(
          Message(
            translated("The File Can’t Be Played"),
            Message.sentences(Problem(problem, remedy: "choose a WAV or Ogg Vorbis file"))))
      } else {
        self?.change(setting, to: .text(path))
      }
    }
  }

  private func show(_ message: Message) {
    guard let body = message.body else { return widget.toast(message.heading) }
    widget.inform(message.heading, body)
  }
}

private final class PlayButton: SettingRow {
  private let sound: CueSound
  private let button: Button

  init(_ sound: CueSound, _ button: Button) {
    self.sound = sound
    self.button = button
  }

  func show(_ preferences: Preferences) { button.isSensitive = preferences.playedSound(sound) != nil }
}

/// Plays sounds, speaks texts, and shows notifications for a user of a window who asks for them, one at a time.
final class Trials {
  private let context: ClientContext
  private let trial: CueTrial
  private var isBusy = false
  var onProblem: (Message) -> Void = { _ in }

  init(_ context: ClientContext) {
    self.context = context
    trial = CueTrial(environment: context.environment, clock: context.clock)
  }

  var hasSpeech: Bool { CueTrial.speechProgram(context.environment) != nil }

  /// Whether the program that plays sounds is known to be missing; a failed search is reported when the program is used.
  var lacksSounds: Bool {
    do throws(SystemError) { return try CueTrial.soundProgram() == nil } catch { return false }
  }

  func play(_ name: String, volume: Int) {
    let trial = trial
    run(translated("The Sound Can’t Be Played")) { try trial.play(name, volume: volume) }
  }

  /// Plays the sound even if sounds are off, and speaks the title if titles are spoken; returns whether there is
  /// either.
  func play(_ card: Card, _ configuration: Configuration) -> Bool {
    let cues = configuration.cues
    let (sound, words) = (cues.startSound(of: card), cues.speech ? card.title : nil)
    guard sound != nil || words != nil else { return false }
    let (trial, volume) = (trial, cues.volume)
    run(translated("The Card Can’t Be Heard")) {
      let silence = try sound.flatMap { try trial.play($0, volume: volume) }
      let muteness = try words.flatMap(trial.speak)
      return silence ?? muteness
    }
    return true
  }

  func speakExample() {
    let trial = trial
    let text = translated("Half-time. Next: Rest")
    run(translated("The Text Can’t Be Spoken")) { try trial.speak(text) }
  }

  func showNotification() {
    let doctor = Doctor(environment: context.environment, clock: context.clock)
    run(translated("The Notification Isn’t Seen")) { try doctor.showTestNotification() }
  }

  private func run(_ heading: String, _ act: @escaping @Sendable () throws -> Problem?) {
    guard !isBusy else { return }
    isBusy = true
    Background.run("trial") {
      Result { try act() }
    } then: { [weak self] result in
      guard let self else { return }
      isBusy = false
      let problem: Problem? =
        switch result {
        case .success(let problem): problem
        case .failure(let error): explained(error)
        }
      if let problem { onProblem(Message(heading, Message.sentences(problem))) }
    }
  }
}
