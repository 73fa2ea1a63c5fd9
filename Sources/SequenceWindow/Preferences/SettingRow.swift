import SequenceClient
import SequenceConfiguration
import SequencePlatform
import SequenceRunner
import SequenceStore

protocol SettingRow: AnyObject {
  /// Shows the value, without reporting that as a choice of the user.
  func show(_ preferences: Preferences)
  /// Reports a choice that waits for further ones.
  func flush()
}

extension SettingRow {
  func flush() {}
}

typealias SettingHandler = (Setting, SettingValue) -> Void

final class SwitchRow: SettingRow {
  private let setting: Setting
  private let toggle: Switch
  private var isSetting = false

  init(_ setting: Setting, _ toggle: Switch, onChange: @escaping SettingHandler) {
    self.setting = setting
    self.toggle = toggle
    toggle.onToggled { [weak self, unowned toggle] in
      guard let self, !isSetting else { return }
      onChange(setting, .flag(toggle.isOn))
    }
  }

  func show(_ preferences: Preferences) {
    isSetting = true
    defer { isSetting = false }
    toggle.isOn = preferences[setting] == .flag(true)
  }
}

/// A setting with a few values, whose words are those of the interface.
///
/// A value of the file that is none of them is another choice until the user chooses one of them.
final class ChoiceRow: SettingRow {
  let row: ComboRow
  private let setting: Setting
  private let choices: [(value: SettingValue, label: String)]
  /// Lets the user choose a file; `nil` if no file can be chosen.
  private let onChooseFile: (() -> Void)?
  private var values: [SettingValue] = []
  private var isSetting = false

  init(
    _ setting: Setting, _ row: ComboRow, onChooseFile: (() -> Void)? = nil, onChange: @escaping SettingHandler
  ) {
    self.setting = setting
    self.row = row
    self.onChooseFile = onChooseFile
    choices = zip(setting.choices, row.choices).map { ($0.map(SettingValue.text) ?? .unset, $1) }
    row.onSelected { [weak self] in
      guard let self, !isSetting else { return }
      let place = self.row.selected
      if values.indices.contains(place) { return onChange(setting, values[place]) }
      selectShown()
      onChooseFile?()
    }
  }

  private var shown: SettingValue = .unset

  func show(_ preferences: Preferences) {
    shown = preferences[setting]
    var all = choices
    if !all.contains(where: { $0.value == shown }) { all.append((shown, ChoiceRow.label(of: shown))) }
    values = all.map(\.value)
    let labels = all.map(\.label) + (onChooseFile == nil ? [] : [translated("Choose File…")])
    isSetting = true
    defer { isSetting = false }
    if labels != row.choices { row.choices = labels }
    selectShown()
  }

  private func selectShown() {
    let wasSetting = isSetting
    isSetting = true
    defer { isSetting = wasSetting }
    if let place = values.firstIndex(of: shown) { row.selected = place }
  }

  /// A value that is none of the choices: the name of a file, or another name.
  private static func label(of value: SettingValue) -> String {
    guard case .text(let text) = value else { return translated("Set in the File") }
    return TextSafety.sanitised(pathParts(text).last ?? text)
  }
}

protocol NumberField: Widget {
  var value: Int { get set }
  func onValue(_ handler: @escaping () -> Void)
}

extension SpinButton: NumberField {}
extension Scale: NumberField {}

/// A setting that is a number, which is written once the user has stopped to change it.
final class NumberRow: SettingRow {
  private let setting: Setting
  private let field: any NumberField
  /// The text behind the number in the file.
  private var unit = ""
  private let onChange: SettingHandler
  private var isSetting = false
  private var delay: LoopSource?

  /// The time without a change after which the number is written.
  private static let milliseconds = 300

  init(_ setting: Setting, _ field: any NumberField, onChange: @escaping SettingHandler) {
    self.setting = setting
    self.field = field
    self.onChange = onChange
    field.onValue { [weak self] in
      guard let self, !isSetting else { return }
      delay = LoopSource.after(milliseconds: NumberRow.milliseconds) { [weak self] in self?.flush() }
    }
  }

  func flush() {
    guard delay != nil else { return }
    delay = nil
    onChange(setting, .text("\(field.value)\(unit)"))
  }

  func show(_ preferences: Preferences) {
    guard delay == nil, case .text(let text) = preferences[setting],
      let number = Int(text.prefix { $0.isNumber })
    else { return }
    isSetting = true
    defer { isSetting = false }
    unit = String(text.drop { $0.isNumber })
    field.value = number
  }
}

/// The switch for the start of the agent at login, which is no setting of the file.
final class LoginRow {
  private let row: ActionRow
  private let toggle: Switch
  private let installation: AgentInstallation
  private let directory: StateDirectory
  private var isSetting = false
  private var isBusy = false
  /// Whether the user has changed the switch meanwhile.
  private var isOutdated = false
  var onError: (any Error) -> Void = { _ in }

  private struct Login: Sendable {
    let isOn: Bool
    let isDoneByPackage: Bool
  }

  init(_ row: ActionRow, _ toggle: Switch, _ client: Client) {
    self.row = row
    self.toggle = toggle
    installation = AgentInstallation(environment: client.context.environment, clock: client.context.clock)
    directory = client.store.directory
    toggle.onToggled { [weak self] in
      guard let self, !isSetting else { return }
      change()
    }
  }

  func refresh() { run { _, _ in } }

  private func change() {
    guard !isBusy else {
      isOutdated = true
      return
    }
    let isOn = toggle.isOn
    run { installation, directory in
      if isOn {
        _ = try installation.install(program: try AgentLauncher.path(), directory)
      } else {
        _ = try installation.uninstall()
      }
    }
  }

  /// Does something on a thread of its own, because the service manager may take its time, and shows the result.
  private func run(_ act: @escaping @Sendable (AgentInstallation, StateDirectory) throws -> Void) {
    let (installation, directory) = (installation, directory)
    isBusy = true
    Background.run("login") {
      let change = Result { try act(installation, directory) }
      let login = Result { () throws -> Login in
        Login(
          isOn: try installation.login(of: directory).kind != nil,
          isDoneByPackage: installation.unitOfAllUsers != nil)
      }
      return (change, login)
    } then: { [weak self] change, login in
      self?.finish(change, login)
    }
  }

  private func finish(_ change: Result<Void, any Error>, _ login: Result<Login, any Error>) {
    isBusy = false
    let isOutdated = isOutdated
    self.isOutdated = false
    do {
      try change.get()
      if isOutdated { self.change() } else { show(try login.get()) }
    } catch {
      // Where it can't be read either, the error says so.
      if case .success(let login) = login { show(login) }
      onError(error)
    }
  }

  private func show(_ login: Login) {
    isSetting = true
    defer { isSetting = false }
    toggle.isOn = login.isOn
    row.isSensitive = !login.isDoneByPackage
    row.setSubtitle(
      login.isDoneByPackage ? translated("The package does this") : translated("Shows pending notifications"))
  }
}
