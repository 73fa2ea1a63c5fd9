import SequencePlanning
import SequencePresentation
import SequenceRunner

/// An entry of the menu of the panel.
struct PanelEntry: Hashable, Sendable {
  /// The text; a separator has none.
  let title: String
  /// The request of a click; `nil` if it only shows something.
  var request: PanelRequest?
  /// The entries of its submenu.
  var entries: [PanelEntry] = []

  static let separator = PanelEntry(title: "")
}

extension PanelEntry {
  /// The menu of the icon.
  ///
  /// - Parameters:
  ///   - view: the current run.
  ///   - title: the title of its step, with that of the sequence.
  ///   - others: the other active runs.
  static func menu(of view: RunView, _ title: String, _ others: [RunView]) -> [PanelEntry] {
    let labels = RunView.labels([view] + others)
    return [PanelEntry(title: heading(view, title)), .separator] + buttons(for: view)
      + (others.isEmpty ? [] : [.separator])
      + zip(others, labels.dropFirst()).map { other, label in
        PanelEntry(title: heading(other, label), entries: buttons(for: other))
      }
      + [
        .separator, PanelEntry(title: "Open", request: .open), PanelEntry(title: "Stop…", request: .askStop),
      ]
  }

  /// A title, and the state or the end as a clock time.
  private static func heading(_ view: RunView, _ title: String) -> String {
    ([title] + view.stateAndEnd).joined(separator: " · ")
  }

  private static func buttons(for view: RunView) -> [PanelEntry] {
    let isCountdown = view.position.remaining != nil
    let buttons: [RunButton?] = [
      view.isPaused ? .resume : .pause, view.canCountSuspend ? .count : nil,
      view.endsByItself ? .skip : .done, isCountdown ? .extend : nil,
    ]
    let context = RunContext(runID: view.runID, step: view.position.step.index)
    return buttons.compactMap { $0 }.map { PanelEntry(title: $0.title, request: .button($0, context)) }
  }
}
