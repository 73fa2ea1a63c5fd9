import CSequenceAdwaita

/// Dragging within a window.
extension Widget {
  /// Lets the user drag this widget.
  ///
  /// - Parameters:
  ///   - label: the text below the pointer.
  ///   - begin: called when a drag begins.
  ///   - end: called when it has ended, in whatever way.
  func onDrag(
    label: @escaping () -> String, begin: @escaping () -> Void, end: @escaping () -> Void
  ) throws(ToolkitError) {
    guard let pointer = unsafe gtk_drag_source_new() else { throw ToolkitError("no controller") }
    let source = unsafe ToolkitObject(opaque: pointer)
    unsafe gtk_drag_source_set_actions(pointer, GDK_ACTION_MOVE)
    source.answer("prepare") { (_: Double, _: Double) -> ToolkitObject? in
      var value = GValue()
      unsafe g_value_init(&value, .text)
      defer { unsafe g_value_unset(&value) }
      guard let made = unsafe gdk_content_provider_new_for_value(&value) else { return nil }
      defer { unsafe g_object_unref(UnsafeMutableRawPointer(made)) }
      return unsafe ToolkitObject(UnsafeMutableRawPointer(made))
    }
    source.on("drag-begin") { (drag: ToolkitObject) in
      // A picture of the widget would be transparent, and black without a compositor.
      guard let icon = unsafe gtk_drag_icon_get_for_drag(drag.opaque),
        let shown = unsafe gtk_label_new(label())
      else { return }
      unsafe gtk_widget_add_css_class(shown, "drag-icon")
      unsafe gtk_drag_icon_set_child(OpaquePointer(icon), shown)
      begin()
    }
    source.on("drag-end") { end() }
    add(controller: source)
  }

  /// Takes what is dragged over this widget.
  ///
  /// - Parameters:
  ///   - move: called with the place of the pointer; returns whether something can be dropped there.
  ///   - leave: called when the pointer leaves the widget.
  ///   - drop: called when the user lets go.
  func onDrop(
    move: @escaping (_ x: Double, _ y: Double) -> Bool, leave: @escaping () -> Void,
    drop: @escaping () -> Void
  ) throws(ToolkitError) {
    guard let pointer = unsafe gtk_drop_target_new(.text, GDK_ACTION_MOVE) else {
      throw ToolkitError("no controller")
    }
    let target = unsafe ToolkitObject(opaque: pointer)
    for signal in ["enter", "motion"] {
      target.answer(signal) { (x: Double, y: Double) -> Int? in
        move(x, y) ? Int(GDK_ACTION_MOVE.rawValue) : 0
      }
    }
    target.on("leave", leave)
    target.answer("drop") { () -> Bool? in
      // The widgets must stay as they are until the drag has ended.
      LoopSource.afterLayout(drop)
      return true
    }
    add(controller: target)
  }
}
