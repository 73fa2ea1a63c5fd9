import CSequenceAdwaita
import FoundationEssentials
import SequencePresentation
import SequencePlatform
import SequenceRunner

/// The row of runs above the page of a run: a button for each active run, and for each that finished unseen.
final class RunStrip {
  let widget: ScrolledWindow
  private let row: Box
  private var buttons: [(item: Item, button: ToggleButton, icon: Image, time: Label)] = []
  /// The run whose button was scrolled into view.
  private var visible: UUID?
  /// The width of a title that is shown whole, in characters.
  private static let longestTitle = 16
  /// Called with the run whose button was pressed.
  var onChoose: (UUID) -> Void = { _ in }

  /// What decides which buttons there are.
  private struct Item: Equatable {
    let id: UUID
    let title: String
    let isEnded: Bool
  }

  init() throws(ToolkitError) {
    let interface = try Interface(PackageResources.strip_ui)
    widget = try interface.object("strip")
    row = try interface.object("strip_row")
  }

  /// Shows the runs of a status.
  func show(_ runs: ShownRuns, _ status: RunStatus) throws(ToolkitError) {
    widget.isVisible = runs.isStripNeeded
    guard runs.isStripNeeded else { return }
    let views = runs.active.compactMap { RunView(status.status(of: $0.runID)) }
    // Ends come first, because the end of a long strip is cut off.
    let items =
      runs.unseen.map {
        Item(id: $0.runID, title: TextSafety.sanitised($0.snapshot.sequence.title), isEnded: true)
      } + zip(views, RunView.labels(views)).map { Item(id: $0.runID, title: $1, isEnded: false) }
    if items != buttons.map(\.item) {
      visible = nil
      try make(items)
    }
    let ends = runs.unseen.map { EndText.clock($0.endedAt, after: .zero) }
    for (place, (item, button, icon, time)) in buttons.enumerated() {
      guard !item.isEnded else {
        let end = "ended at \(ends[place])"
        time.text = end
        button.isOn = false
        button.setAccessibleName("\(item.title), \(end)")
        continue
      }
      let view = views[place - ends.count]
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

  private func make(_ items: [Item]) throws(ToolkitError) {
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
      let button = try ToggleButton.make(with: [icon, title, time])
      button.takesFocusOnClick = false
      button.set(class: "strip-button", true)
      button.set(class: "ended", item.isEnded)
      button.onClicked { [unowned self] in onChoose(item.id) }
      row.append(button)
      buttons.append((item, button, icon, time))
    }
  }
}
