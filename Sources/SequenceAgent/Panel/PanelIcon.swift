import SequencePlanning
import SequencePresentation
package import SequenceRunner

/// What the panel shows of the current run: an icon, a tooltip and a menu.
package struct PanelIcon: Equatable, Sendable {
  package let face: Face
  /// The titles of the step and of the sequence.
  let title: String
  /// When the step ends and what follows, in words.
  let line: String
  let menu: [PanelEntry]

  /// What the icon shows.
  package enum Face: Hashable, Sendable {
    /// Minutes, hours from 100 minutes on, or days from 100 hours on, 99 at most.
    case time(String, isRest: Bool)
    case paused
    case overtime
  }

  /// The icon of the current run; `nil` if none is active.
  package init?(_ status: RunStatus) {
    guard let view = RunView(status) else { return nil }
    face = PanelIcon.face(of: view)
    title = view.title == view.sequence ? view.title : "\(view.title) – \(view.sequence)"
    line = view.outlook
    let others = status.statuses.dropFirst().compactMap(RunView.init)
    menu = PanelEntry.menu(of: view, title, others)
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
