import CSequenceAdwaita
import SequencePlatform

/// A part that moves from 0 to 1 once, in a third of a second.
///
/// It is 1 at once if the desktop reduces animations, or while the widget is hidden. At rest it costs nothing.
final class Motion {
  private let animation: ToolkitObject
  private(set) var part = 1.0

  private static let milliseconds: guint = 350

  /// - Parameter onChange: called with each change of the part.
  init(of widget: Widget, onChange: @escaping () -> Void) throws(Problem) {
    guard let target = unsafe adw_callback_animation_target_new({ _, _ in }, nil, nil),
      let made = unsafe adw_timed_animation_new(widget.typed(), 0, 1, Motion.milliseconds, target)
    else { throw Problem("no memory for a motion") }
    animation = unsafe ToolkitObject(UnsafeMutableRawPointer(made))
    unsafe g_object_unref(UnsafeMutableRawPointer(made))
    animation.on("notify::value") { [weak self] in
      guard let self else { return }
      part = unsafe adw_animation_get_value(animation.typed())
      onChange()
    }
  }

  /// Begins it again.
  func start() {
    part = 0
    unsafe adw_animation_reset(animation.typed())
    unsafe adw_animation_play(animation.typed())
  }
}
