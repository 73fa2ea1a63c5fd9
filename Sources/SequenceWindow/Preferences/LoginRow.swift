import SequenceClient
import SequencePlatform
import SequenceRunner
import SequenceStore

/// The switch for the start of the agent at login, which is no setting of the file.
final class LoginRow {
  private let row: ActionRow
  private let toggle: Switch
  private let installation: AgentInstallation
  private let directory: StateDirectory
  private var isSetting = false
  /// Whether it is being read or changed.
  private var isBusy = false
  /// Whether the user has changed the switch meanwhile.
  private var isOutdated = false
  var onError: (any Error) -> Void = { _ in }

  /// The start at login as it is.
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

  /// Reads and shows the start at login.
  func refresh() { run { _, _ in } }

  /// Changes it to the state of the switch; a change that has begun ends first.
  private func change() {
    guard !isBusy else {
      isOutdated = true
      return
    }
    let isOn = toggle.isOn
    run { installation, directory in
      if isOn {
        let agent = try AgentInvocation(program: try AgentLauncher.path(), state: try directory.lasting())
        _ = try installation.install(agent)
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
          isDoneByPackage: installation.isDoneByPackage)
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
      if let login = try? login.get() { show(login) }
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
