import SequencePlatform
import SequencePlanning
import SequencePresentation
package import SequenceRunner

package struct PanelIcon: Equatable, Sendable {
  package let face: Face
  let title: String
  /// When the step ends and what follows, in words.
  let line: String
  let menu: [PanelEntry]

  package enum Face: Hashable, Sendable {
    /// Minutes, hours from 100 minutes on, or days from 100 hours on, 99 at most.
    case time(String, isRest: Bool)
    case paused
    case overtime
  }

  /// - Parameter next: what a schedule starts next, and when.
  package init?(_ status: RunStatus, next: String? = nil) {
    guard let view = RunView(status) else { return nil }
    face = PanelIcon.face(of: view)
    title = view.title == view.sequence ? view.title : "\(view.title) – \(view.sequence)"
    line = view.outlook
    let others = status.statuses.dropFirst().compactMap(RunView.init)
    menu = PanelEntry.menu(of: view, title, others, next)
  }

  private static func face(of view: RunView) -> Face {
    if view.isPaused { return .paused }
    if view.activity == .overtime { return .overtime }
    let (position, minute) = (view.position, Int64(60))
    let minutes =
      position.remaining.map { (ClockText.wholeSecondsUp($0) + minute - 1) / minute }
      ?? ClockText.wholeSecondsDown(position.elapsed) / minute
    // Larger units are rounded as the minutes are.
    func inUnits(_ count: Int64, of unit: Int64) -> Int64 {
      (position.remaining == nil ? count : count + unit - 1) / unit
    }
    let hours = inUnits(minutes, of: 60)
    let text =
      minutes < 100 ? "\(minutes)" : hours < 100 ? "\(hours)h" : "\(min(inUnits(hours, of: 24), 99))d"
    return .time(text, isRest: view.isRest)
  }
}

struct PanelEntry: Hashable, Sendable {
  let title: String
  var request: PanelRequest?
  var entries: [PanelEntry] = []

  static let separator = PanelEntry(title: "")

  /// - Parameter title: the title of its step, with that of the sequence.
  static func menu(of view: RunView, _ title: String, _ others: [RunView], _ next: String?) -> [PanelEntry] {
    let labels = RunView.labels([view] + others)
    return [PanelEntry(title: heading(view, title)), .separator] + buttons(for: view)
      + (others.isEmpty ? [] : [.separator])
      + zip(others, labels.dropFirst()).map { other, label in
        PanelEntry(title: heading(other, label), entries: buttons(for: other))
      }
      + (next.map { [.separator, PanelEntry(title: $0)] } ?? [])
      + [
        .separator, PanelEntry(title: translated("Open"), request: .open),
        PanelEntry(title: translated("Stop…"), request: .askStop),
      ]
  }

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
