import FoundationEssentials
import SequencePlanning
import SequencePlatform
import SequenceClient
import SequenceFiles
import SequenceRunner

extension MainWindow {
  func perform(_ action: String, on sequence: ListedSequence) {
    attempt {
      try detail.show(sequence)
      switch action {
      case "start": startSequence(sequence.path)
      case "edit": editSequence()
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
    attempt { if let path = detail.sequence?.path { try openEditor(path) } }
  }

  /// Opens the file of the sequence that is shown in the user's text editor.
  func editText() {
    editor.commit()
    attempt {
      guard let path = editor.path ?? detail.sequence?.path else { return }
      try widget.openFile(path, control.client.context.environment)
    }
  }

  /// Shows the name of the sequence in commands and its file.
  func showProperties() {
    guard let path = editor.path ?? detail.sequence?.path else { return }
    // Commands refuse the name of a file with a mistake.
    let listed = library.sequence(at: path).flatMap { $0.content == nil ? nil : $0 }
    let lines = [
      listed.map { translated("Name in commands: {}", TextSafety.sanitised($0.name)) },
      translated("File: {}", TextSafety.sanitised(path)),
    ]
    show(Message(translated("Properties"), lines.compactMap(\.self).joined(separator: "\n")))
  }

  func openEditor(_ path: String, isNew: Bool = false) throws {
    // The library is followed from now on.
    library.refresh(control.client)
    try detail.show(library.sequence(at: path) ?? ListedSequence(file: path))
    try editor.open(path)
    leaflet.page = "editor"
    if isNew { editor.focusTitle() }
    showEditorState()
  }

  func showEditorState() {
    guard let sequence = editor.sequence else { return editor.setRunning(false) }
    editor.setRunning(runs.active.contains { $0.sequence.id == sequence.id })
  }

  func undoEdit() {
    editor.undo()
  }

  func saveRun(_ id: String) {
    attempt {
      guard let id = UUID(uuidString: id), let run = try control.client.store.endedRun(id: id) else { return }
      save(run.snapshot.sequence)
    }
  }

  func save(_ sequence: SequenceDefinition) {
    attempt { try openEditor(try files.create(sequence), isNew: true) }
  }

  func duplicateSequence() {
    attempt {
      guard let path = detail.sequence?.path else { return }
      try openEditor(try files.duplicate(path), isNew: true)
    }
  }

  func askRename() {
    guard let sequence = detail.sequence, let content = sequence.content else { return }
    widget.askText(
      translated("Rename"), translated("The name of the file stays {}.", sequence.name),
      name: translated("Title"), text: content.title, answer: translated("Rename"),
      mistake: { text in if case .mistake(let mistake) = EditorText.title(text) { mistake } else { nil } }
    ) { [unowned self] text in
      guard case .value(let title) = EditorText.title(text) else { return }
      do {
        try files.rename(sequence.path, to: title)
      } catch let failure as EditorFailure {
        show(Message(translated("The Sequence Can’t Be Renamed"), failure.text(nil)))
      } catch {
        show(error)
      }
      library.refresh(control.client)
    }
  }

  func trashSequence() {
    attempt {
      guard let sequence = detail.sequence else { return }
      let trashed = try files.moveToTrash(sequence.path)
      self.trashed[sequence.path] = trashed
      leaflet.page = "main"
      show(view: "library")
      library.refresh(control.client)
      let title = TextSafety.sanitised(sequence.content?.title ?? sequence.name)
      let said = translated("“{}” is in the trash", title)
      guard trashed.canReturn else { return toasts.toast(said) }
      try toasts.toast(said, button: translated("Undo"), action: "app.restore", target: sequence.path)
    }
  }

  func restoreSequence(_ path: String) {
    attempt { try trashed.removeValue(forKey: path)?.restore() }
    library.refresh(control.client)
  }

  /// Removes the run whose page is shown from the history, if the user agrees.
  func askDeleteRun() {
    guard let run = detail.run else { return }
    let title = TextSafety.sanitised(run.snapshot.sequence.title)
    widget.ask(
      translated("Remove “{}” From the History?", title),
      translated("Statistics won’t count the run any more."),
      answer: translated("Remove")
    ) { [unowned self] in
      attempt {
        _ = try control.client.store.deleteEndedRun(run.runID)
        control.client.ensureAgent()
        leaflet.page = "main"
        try history.refresh(control.client)
        try idlePage.refreshRecent(control.client)
      }
    }
  }

  /// Leaves the page of a sequence or of a run, or the editor.
  func leaveDetail() {
    switch leaflet.page {
    case "editor":
      if editor.canLeave() { leaflet.page = "detail" }
    case "new": if !newPage.goBack() { leaflet.page = "main" }
    default: leaflet.page = "main"
    }
  }

  func addStarter(_ name: String) {
    attempt { _ = try StarterSequence(rawValue: name).map(files.create) }
    library.refresh(control.client)
  }

  func showNew() {
    leaflet.page = "new"
    newPage.show()
  }

  func createSequence() {
    attempt { try openEditor(try files.createEmpty(), isNew: true) }
  }

  func importFile() {
    widget.chooseFile("Import a File", accept: "Import") { [unowned self] path in
      // The main loop must not wait for it.
      let (environment, clock) = (control.client.context.environment, control.client.context.clock)
      Background.run("import") {
        Result { try ImportedSequence(path, environment, clock) }
      } then: { [weak self] result in
        self?.add(result)
      }
    }
  }

  /// Adds an imported sequence to the library under a free name, and shows its page.
  private func add(_ imported: Result<ImportedSequence, any Error>) {
    attempt {
      do {
        let imported = try imported.get()
        let path = try files.add(imported)
        library.refresh(control.client)
        if let sequence = library.sequence(at: path) { open(sequence) }
        let name = TextSafety.sanitised(ListedSequence.name(ofFileAt: path))
        if let report = imported.report { widget.inform("Imported “\(name)”", report) }
      } catch let failure as Explanation {
        show(Message("The File Can’t Be Imported", failure.sentence))
      }
    }
  }
}
