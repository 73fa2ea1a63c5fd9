import CSequenceAdwaita
import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The row of runs above the page of a run: a button for each active run, and for each that finished unseen.
///
/// From the third on, one button opens a list of them.
final class RunStrip {
  let widget: ScrolledWindow
  let list: RunList
  private let row: Box
  private var buttons: [(item: Item, button: ToggleButton, icon: Image, time: Label)] = []
  /// The run whose button was scrolled into view.
  private var visible: UUID?
  private static let longestTitle = 16
  private static let mostButtons = 2
  var onChoose: (UUID) -> Void = { _ in }

  /// A run in the strip.
  struct Item {
    let id: UUID
    let title: String
    /// `nil` if it has neither a color nor an icon of its own.
    let look: SequenceLook?
    /// `nil` if it has ended.
    let view: RunView?
    /// Its time, or when it ended.
    let time: String

    /// Whether the same button can show both.
    func looksLike(_ other: Item) -> Bool {
      id == other.id && title == other.title && look == other.look && (view == nil) == (other.view == nil)
    }

    /// For screen readers.
    var name: String {
      ([title, view?.timeInWords ?? time] + (view?.stateWords ?? [])).joined(separator: ", ")
    }
  }

  init() throws(Problem) {
    let interface = try Interface(PackageResources.strip_ui)
    widget = try interface.object("strip")
    row = try interface.object("strip_row")
    list = try RunList(interface)
    list.onChoose = { [unowned self] in onChoose($0) }
  }

  func show(_ runs: ShownRuns, _ status: RunStatus) throws(Problem) {
    widget.isVisible = runs.isStripNeeded
    guard runs.isStripNeeded else { return }
    let shown = runs.active.compactMap { run in
      RunView(status.status(of: run.runID)).map { (run: run, view: $0) }
    }
    // Ends come first, because the end of a long strip is cut off.
    let ends = runs.unseen.map { ended in
      let (sequence, time) = (ended.snapshot.sequence, EndText.clock(ended.endedAt, after: .zero))
      return Item(
        id: ended.runID, title: TextSafety.sanitised(sequence.title), look: SequenceLook(chosenFor: sequence),
        view: nil, time: translated("ended at {}", time))
    }
    let items =
      ends
      + zip(shown, RunView.labels(shown.map(\.view))).map {
        Item(
          id: $0.view.runID, title: $1, look: SequenceLook(chosenFor: $0.run.sequence), view: $0.view,
          time: $0.view.directedTime)
      }
    let isList = items.count > RunStrip.mostButtons
    list.widget.isVisible = isList
    if isList { try list.show(items, page: runs.run?.runID) }
    try showButtons(isList ? [] : items, page: runs.run?.runID)
  }

  private func showButtons(_ items: [Item], page: UUID?) throws(Problem) {
    if !items.elementsEqual(buttons, by: { $0.looksLike($1.item) }) {
      visible = nil
      try make(items)
    }
    for (item, (_, button, icon, time)) in zip(items, buttons) {
      time.text = item.time
      button.setAccessibleName(item.name)
      guard let view = item.view else {
        button.isOn = false
        continue
      }
      icon.isVisible = view.isPaused || view.waitsForUser
      icon.set(
        "icon-name", to: view.isPaused ? "media-playback-pause-symbolic" : "dialog-information-symbolic")
      button.isOn = item.id == page
      button.setTooltip(([view.line] + view.stateWords).joined(separator: ", "))
      if item.id == page, item.id != visible {
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
      button.set(class: "ended", item.view == nil)
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
