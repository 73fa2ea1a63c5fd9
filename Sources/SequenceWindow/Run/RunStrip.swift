import CSequenceAdwaita
import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The row of runs above the page of a run: a button for each active run, and for each that finished unseen.
final class RunStrip {
  let widget: ScrolledWindow
  private let row: Box
  private var buttons: [(item: Item, button: ToggleButton, icon: Image, time: Label)] = []
  /// The run whose button was scrolled into view.
  private var visible: UUID?
  private static let longestTitle = 16
  var onChoose: (UUID) -> Void = { _ in }

  /// The content of a button.
  private struct Item: Equatable {
    let id: UUID
    let title: String
    /// `nil` if it has neither a color nor an icon of its own.
    let look: SequenceLook?
    let isEnded: Bool
  }

  init() throws(Problem) {
    let interface = try Interface(PackageResources.strip_ui)
    widget = try interface.object("strip")
    row = try interface.object("strip_row")
  }

  func show(_ runs: ShownRuns, _ status: RunStatus) throws(Problem) {
    widget.isVisible = runs.isStripNeeded
    guard runs.isStripNeeded else { return }
    let shown = runs.active.compactMap { run in
      RunView(status.status(of: run.runID)).map { (run: run, view: $0) }
    }
    let views = shown.map(\.view)
    // Ends come first, because the end of a long strip is cut off.
    let items =
      runs.unseen.map {
        Item(
          id: $0.runID, title: TextSafety.sanitised($0.snapshot.sequence.title),
          look: SequenceLook(chosenFor: $0.snapshot.sequence), isEnded: true)
      }
      + zip(shown, RunView.labels(shown.map(\.view))).map {
        Item(id: $0.view.runID, title: $1, look: SequenceLook(chosenFor: $0.run.sequence), isEnded: false)
      }
    if items != buttons.map(\.item) {
      visible = nil
      try make(items)
    }
    let ends = runs.unseen.map { EndText.clock($0.endedAt, after: .zero) }
    for (index, (item, button, icon, time)) in buttons.enumerated() {
      guard !item.isEnded else {
        let end = "ended at \(ends[index])"
        time.text = end
        button.isOn = false
        button.setAccessibleName("\(item.title), \(end)")
        continue
      }
      let view = views[index - ends.count]
      time.text = view.time
      icon.isVisible = view.isPaused || view.waitsForUser
      icon.set(
        "icon-name", to: view.isPaused ? "media-playback-pause-symbolic" : "dialog-information-symbolic")
      button.isOn = (item.id == runs.run?.runID)
      button.setTooltip(([view.line] + view.stateWords).joined(separator: ", "))
      button.setAccessibleName(([item.title, view.timeInWords] + view.stateWords).joined(separator: ", "))
      if item.id == runs.run?.runID, item.id != visible {
        visible = item.id
        // A new button has a place after the next layout.
        LoopSource.afterLayout { [weak widget] in widget?.scroll(to: button) }
      }
    }
  }

  private func make(_ items: [Item]) throws(Problem) {
    for (_, button, _, _) in buttons { row.remove(button) }
    buttons = []
    for item in items {
      let icon = try Image.make(icon: "emblem-ok-symbolic")
      let title = try Label.make(item.title)
      // A strip that is too long is scrolled, instead of cutting all titles off.
      if item.title.count > RunStrip.longestTitle {
        title.setEllipsis(isInMiddle: false)
        title.setWidth(characters: RunStrip.longestTitle)
      }
      let time = try Label.make("", classes: "numeric")
      var parts: [Widget] = [icon, title, time]
      if let badge = try item.look?.badge() { parts.insert(badge, at: 0) }
      let button = try ToggleButton.make(with: parts)
      button.takesFocusOnClick = false
      button.set(class: "strip-button", true)
      button.set(class: "ended", item.isEnded)
      button.onClicked { [unowned self] in onChoose(item.id) }
      row.append(button)
      buttons.append((item, button, icon, time))
    }
  }
}

/// The runs as the window shows them: one on the page, all in the strip.
struct ShownRuns {
  private(set) var run: ActiveRunSnapshot?
  private(set) var active: [ActiveRunSnapshot] = []
  /// The runs that have finished unseen, in the order in which that was found.
  private(set) var unseen: [EndedRun] = []

  private static let mostUnseen = 20

  /// Whether there is more to show than the run on the page.
  var isStripNeeded: Bool { active.count > 1 || !unseen.isEmpty }

  /// Takes over a reading of the runs.
  ///
  /// A run stays on the page until it ends; the current run follows it. A run that finishes while another one is on the
  /// page stays in the strip. One that somebody has stopped doesn't.
  ///
  /// - Parameter end: the end of a run; `nil` if it isn't in the history.
  /// - Returns: the end of the run that was on the page.
  mutating func update(
    _ status: RunStatus, end: (ActiveRunSnapshot) throws -> EndedRun?
  ) rethrows -> EndedRun? {
    var onPage: EndedRun?
    for old in active where !status.runs.contains(where: { $0.runID == old.runID }) {
      let ended = try end(old)
      if old.runID == run?.runID {
        onPage = ended
      } else if let ended, ended.outcome == .finished {
        keep(ended)
      }
    }
    active = status.runsByStart
    run = status.runs.first { $0.runID == run?.runID } ?? status.runs.first
    return onPage
  }

  mutating func choose(_ id: UUID) {
    if let chosen = active.first(where: { $0.runID == id }) { run = chosen }
  }

  /// Shows the run after the one on the page, in the order of their starts.
  mutating func chooseNext() {
    guard let place = active.firstIndex(where: { $0.runID == run?.runID }) else { return }
    run = active[(place + 1) % active.count]
  }

  /// Keeps the end of a run in the strip.
  mutating func keep(_ ended: EndedRun) { unseen = (unseen + [ended]).suffix(ShownRuns.mostUnseen) }

  mutating func see(_ id: UUID) -> EndedRun? {
    unseen.firstIndex { $0.runID == id }.map { unseen.remove(at: $0) }
  }
}
