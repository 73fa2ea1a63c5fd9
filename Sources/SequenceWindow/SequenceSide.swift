import FoundationEssentials
import SequencePlanning
import SequencePlatform
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

final class SequenceSide {
  private let frame: WindowFrame
  private let control: RunControl
  private let runSide: RunSide
  let library: LibraryPage
  let history: HistoryPage
  private let detail: DetailPage
  private let newPage: NewPage
  let editor: EditorPage
  private let files: LibraryControl
  private let trials: Trials
  private var scheduleForm: ScheduleForm?
  /// The ways to undo the changes that messages have reported, in their order; `nil` once undone.
  private var undos: [(() throws -> Void)?] = []

  init(_ frame: WindowFrame, _ control: RunControl, _ runSide: RunSide, _ interface: Interface) throws {
    (self.frame, self.control, self.runSide) = (frame, control, runSide)
    let context = control.client.context
    library = try LibraryPage(context)
    history = try HistoryPage(control.client)
    detail = try DetailPage(context)
    newPage = try NewPage()
    editor = try EditorPage()
    files = LibraryControl(context: context)
    trials = Trials(context)
    for (place, page) in [
      ("library", library.widget), ("history", history.widget), ("detail", detail.widget),
      ("new", newPage.widget), ("editor", editor.widget),
    ] as [(String, Widget)] {
      try (interface.object("\(place)_place") as Bin).setChild(page)
    }
    try connect()
  }

  private func connect() throws {
    detail.onStart = { [unowned self] in runSide.start($0, RunStart(until: $1)) }
    detail.withUsualLengths = { [unowned self] in try control.client.store.withUsualLengths($0) }
    detail.onError = { [unowned self] in frame.show($0) }
    library.onError = { [unowned self] in frame.show($0) }
    library.onAction = { [unowned self] in perform($0, on: $1) }
    library.onOpen = { [unowned self] in open($0) }
    library.onReload = { [unowned self] in
      let colors = library.lastUsed.compactMap { sequence in
        sequence.content.flatMap { content in content.color.map { (content.id.uuidString, $0) } }
      }
      history.colors = Dictionary(colors) { first, _ in first }
      // The file of the sequence that is shown may have been saved.
      if let path = detail.sequence?.path, let sequence = library.sequence(at: path) {
        frame.attempt { try detail.show(sequence) }
      }
      frame.attempt { try runSide.idlePage.show(library.lastUsed) }
    }
    newPage.onCreate = { [unowned self] make in
      frame.attempt { try openEditor(try make(files), isNew: true) }
    }
    editor.onStart = { [unowned self] in runSide.start($0, RunStart(firstStep: $1)) }
    editor.onError = { [unowned self] in frame.show($0) }
    editor.onPlay = { [unowned self] card in
      if !trials.play(card, control.client.configuration()) {
        editor.say(translated("This card has no sound"))
      }
    }
    trials.onProblem = { [unowned self] in frame.show($0) }
    editor.onSave = { [unowned self] in
      // The library shows the changes of its files.
      guard let path = editor.path, library.sequence(at: path) == nil else { return }
      frame.attempt { try detail.show(ListedSequence(file: path)) }
    }
    history.onError = { [unowned self] in frame.show($0) }
    history.onReport = { [unowned self] in frame.toasts.toast($0) }
    history.list.onError = { [unowned self] in frame.show($0) }
    history.list.onOpen = { [unowned self] summary in
      frame.attempt {
        guard let id = UUID(uuidString: summary.runID),
          let run = try control.client.store.endedRun(id: id)
        else { return }
        try detail.show(run)
        frame.leaflet.page = "detail"
        detail.focusStart()
      }
    }
    detail.onStartAgain = { [unowned self] run in
      let run = run.snapshot
      runSide.start(run.timeline, RunStart(source: run.source), labels: run.options.labels)
    }
    detail.onRemark = { [unowned self] remark, run in
      frame.attempt {
        _ = try control.client.store.setRemark(remark, of: run)
        try history.refresh()
      }
    }
    runSide.onRefresh = { [unowned self] in if editor.path != nil { showEditorState() } }
    runSide.idlePage.onSchedule = { [unowned self] in frame.show(view: "library") }
    runSide.idlePage.onOpen = { [unowned self] in open($0) }
    runSide.idlePage.onStartSequence = { [unowned self] in runSide.startSequence($0.path) }
    runSide.idlePage.onStarter = { [unowned self] starter, starts in
      frame.attempt {
        let path = try files.create(starter)
        library.refresh(control.client)
        if starts { runSide.startSequence(path) } else if let new = library.sequence(at: path) { open(new) }
      }
    }
    runSide.onIdle = { [unowned self] in
      // The order of the cards follows the runs.
      library.refresh(control.client)
      if frame.views.page == "history" { try history.refresh() }
    }
    runSide.onSave = { [unowned self] in save($0) }
    try frame.leaflet.onFiles { [unowned self] in importFiles($0) }
  }

  private func open(_ sequence: ListedSequence) {
    frame.attempt {
      try detail.show(sequence)
      frame.leaflet.page = "detail"
      detail.focusStart()
      runSide.updateForeground()
    }
  }

  /// - Parameter name: its name in the library, or the absolute path of its file.
  func openSequence(named name: String) {
    frame.show(view: "library")
    library.refresh(control.client)
    let file = isAbsolute(name) ? ListedSequence(file: name) : nil
    if let sequence = library.sequence(named: name) ?? file { open(sequence) }
  }

  private func perform(_ action: String, on sequence: ListedSequence) {
    frame.attempt {
      try detail.show(sequence)
      switch action {
      case "start": runSide.startSequence(sequence.path)
      case "edit": editSequence()
      case "schedule": askSchedule()
      case "duplicate": duplicateSequence()
      case "rename": askRename()
      case "edit-text": editText()
      case "properties": showProperties()
      case "trash": trashSequence()
      default: break
      }
    }
  }

  func editSequence() {
    frame.attempt { if let path = detail.sequence?.path { try openEditor(path) } }
  }

  func editText() {
    editor.commit()
    frame.attempt {
      guard let path = editor.path ?? detail.sequence?.path else { return }
      try frame.widget.openFile(path, control.client.context.environment)
    }
  }

  func showProperties() {
    guard let path = editor.path ?? detail.sequence?.path else { return }
    // Commands refuse the name of a file with a mistake.
    let listed = library.sequence(at: path).flatMap { $0.content == nil ? nil : $0 }
    let lines = [
      listed.map { translated("Name in commands: {}", TextSafety.sanitised($0.name)) },
      translated("File: {}", TextSafety.sanitised(path)),
    ]
    frame.show(Message(translated("Properties"), lines.compactMap(\.self).joined(separator: "\n")))
  }

  private func openEditor(_ path: String, isNew: Bool = false) throws {
    // The library is followed from now on.
    library.refresh(control.client)
    try detail.show(library.sequence(at: path) ?? ListedSequence(file: path))
    try editor.open(path)
    frame.leaflet.page = "editor"
    if isNew { editor.focusTitle() }
    showEditorState()
  }

  private func showEditorState() {
    guard let sequence = editor.sequence else { return editor.setRunning(false) }
    editor.setRunning(runSide.runs.active.contains { $0.sequence.id == sequence.id })
  }

  func undoEdit() {
    editor.undo()
  }

  func saveRun(_ id: String) {
    frame.attempt {
      guard let id = UUID(uuidString: id), let run = try control.client.store.endedRun(id: id) else { return }
      save(run.snapshot.sequence)
    }
  }

  private func save(_ sequence: SequenceDefinition) {
    frame.attempt { try openEditor(try files.create(sequence), isNew: true) }
  }

  func duplicateSequence() {
    frame.attempt {
      guard let path = detail.sequence?.path else { return }
      try openEditor(try files.duplicate(path), isNew: true)
    }
  }

  func askRename() {
    guard let sequence = detail.sequence, let content = sequence.content else { return }
    frame.widget.askText(
      translated("Rename"), translated("The name of the file stays {}.", sequence.name),
      name: translated("Title"), text: content.title, answer: translated("Rename"),
      mistake: { text in if case .mistake(let mistake) = EditorText.title(text) { mistake } else { nil } }
    ) { [unowned self] text in
      guard case .value(let title) = EditorText.title(text) else { return }
      do {
        try files.rename(sequence.path, to: title)
      } catch let failure as EditorFailure {
        frame.show(Message(translated("The Sequence Can’t Be Renamed"), failure.text(nil)))
      } catch {
        frame.show(error)
      }
      library.refresh(control.client)
    }
  }

  func askSchedule() {
    frame.attempt {
      guard let sequence = detail.sequence, let content = sequence.content else { return }
      let form = try ScheduleForm(
        SequenceSource(path: sequence.path, ScheduleChoices()), control.client)
      // It lives as long as the dialog with its fields, or until the next one.
      scheduleForm = form
      let check = frame.widget.ask(
        translated("Schedule “{}”", TextSafety.sanitised(content.title)), form: form.widget, focus: form.time,
        answer: translated("Schedule")
      ) { [unowned form] in
        form.check()
      } _: { [unowned self, unowned form] in
        frame.attempt { if let schedule = try form.schedule() { try add(schedule) } }
      }
      form.onChange(check)
    }
  }

  private func add(_ schedule: Schedule) throws {
    let added = try control.client.add(schedule)
    showSchedules()
    let title = TextSafety.sanitised(added.title)
    let begin = ScheduleForm.begin(added, now: control.client.store.clock.now().wall)
    let said = translated("“{title}” begins {time}", ["title": title, "time": begin])
    try say(said) { [unowned self] in removeSchedule("\(added.number)") }
    let (environment, clock) = (control.client.context.environment, control.client.context.clock)
    let directory = control.client.store.directory
    Background.run("login") {
      let installation = AgentInstallation(environment: environment, clock: clock)
      return Result { try installation.login(of: directory).kind != nil }
    } then: { [weak self] result in
      self?.frame.attempt {
        guard try !result.get() else { return }
        self?.frame.toasts.toast(
          translated("After the next login it begins only if the agent starts at login: see Preferences"))
      }
    }
  }

  func removeSchedule(_ number: String) {
    frame.attempt {
      guard let removed = try Int64(number).flatMap(control.client.removeSchedule) else { return }
      showSchedules()
      try say(translated("The schedule of “{}” is removed", TextSafety.sanitised(removed.title))) {
        [unowned self] in
        _ = try control.client.add(removed)
        showSchedules()
      }
    }
  }

  /// Reports a change with a button that undoes it.
  private func say(_ text: String, undo: @escaping () throws -> Void) throws {
    undos.append(undo)
    try frame.toasts.toast(
      text, button: translated("Undo"), action: "app.undo-removal", target: String(undos.count - 1))
  }

  /// - Parameter number: the number of the message, from 0.
  func undoRemoval(_ number: String) {
    guard let index = Int(number), undos.indices.contains(index), let undo = undos[index] else { return }
    undos[index] = nil
    frame.attempt { try undo() }
  }

  private func showSchedules() {
    library.refresh(control.client)
    runSide.showNews()
  }

  func trashSequence() {
    frame.attempt {
      guard let sequence = detail.sequence else { return }
      let trashed = try files.moveToTrash(sequence.path)
      frame.leaflet.page = "main"
      frame.show(view: "library")
      library.refresh(control.client)
      let title = TextSafety.sanitised(sequence.content?.title ?? sequence.name)
      let said = translated("“{}” is in the trash", title)
      guard trashed.canReturn else { return frame.toasts.toast(said) }
      try say(said) { [unowned self] in
        defer { library.refresh(control.client) }
        try trashed.restore()
      }
    }
  }

  /// Takes over a remark that the user is still writing.
  func commitRemark() { detail.commitRemark() }

  func deleteRun() {
    frame.attempt {
      guard let run = detail.run else { return }
      let removed = try control.client.store.deleteEndedRun(run.runID)
      control.client.ensureAgent()
      frame.leaflet.page = "main"
      try showHistory()
      guard let removed else { return }
      let title = TextSafety.sanitised(run.snapshot.sequence.title)
      try say(translated("“{}” is removed from the history", title)) { [unowned self] in
        try control.client.store.restore(removed)
        try showHistory()
      }
    }
  }

  private func showHistory() throws {
    try history.refresh()
    try runSide.idlePage.refreshRecent(control.client)
  }

  func leaveDetail() {
    switch frame.leaflet.page {
    case "editor":
      if editor.canLeave() { frame.leaflet.page = "detail" }
    case "new": if !newPage.goBack() { frame.leaflet.page = "main" }
    default: frame.leaflet.page = "main"
    }
  }

  func addStarter(_ name: String) {
    frame.attempt { _ = try Starter(rawValue: name).map(files.create) }
    library.refresh(control.client)
  }

  func showNew() {
    frame.leaflet.page = "new"
    newPage.show()
  }

  func createSequence() {
    frame.attempt { try openEditor(try files.createEmpty(), isNew: true) }
  }

  func importFile() {
    frame.widget.chooseFile(translated("Import a File"), accept: translated("Import")) {
      [unowned self] in importFiles([$0])
    }
  }

  /// Opens sequence files, and converts those of other programs, one after the other.
  private func importFiles(_ paths: [String]) {
    guard let path = paths.first else { return }
    let others = Array(paths.dropFirst())
    if SequenceLibrary.extensions.contains(WorkoutFormat.fileExtension(of: path)) {
      openSequence(named: path)
      return importFiles(others)
    }
    // The main loop must not wait for it.
    let (environment, clock) = (control.client.context.environment, control.client.context.clock)
    Background.run("import") {
      Result { try ImportedSequence(path, environment, clock) }
    } then: { [weak self] result in
      self?.add(result)
      self?.importFiles(others)
    }
  }

  private func add(_ imported: Result<ImportedSequence, any Error>) {
    frame.attempt {
      let (report, path): (String?, String)
      do {
        let imported = try imported.get()
        (report, path) = (imported.report, try files.add(imported))
      } catch let failure as Problem {
        return frame.show(Message(translated("The File Can’t Be Imported"), Message.sentence(failure)))
      }
      library.refresh(control.client)
      if let sequence = library.sequence(at: path) { open(sequence) }
      let name = TextSafety.sanitised(ListedSequence.name(ofFileAt: path))
      if let report { frame.widget.inform(translated("Imported “{}”", name), report) }
    }
  }
}
