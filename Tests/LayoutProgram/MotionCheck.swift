import CSequenceAdwaita
import Foundation
import SequencePlatform
import SequencePresentation
import SequenceRunner

@testable import SequenceWindow

func children(of widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<GtkWidget>] {
  guard gtk_widget_get_visible(widget) != 0, gtk_widget_get_child_visible(widget) != 0 else { return [] }
  var (found, next) = ([widget], gtk_widget_get_first_child(widget))
  while let child = next {
    found += children(of: child)
    next = gtk_widget_get_next_sibling(child)
  }
  return found
}

func identifier(of widget: UnsafeMutablePointer<GtkWidget>) -> String {
  gtk_buildable_get_buildable_id(OpaquePointer(widget)).map { String(cString: $0) } ?? ""
}

func setSetting(_ name: String, _ type: GType, _ write: (inout GValue) -> Void) {
  guard let settings = gtk_settings_get_default() else { fatalError("no display") }
  var value = GValue()
  g_value_init(&value, type)
  write(&value)
  UnsafeMutableRawPointer(settings).withMemoryRebound(to: GObject.self, capacity: 1) {
    g_object_set_property($0, name, &value)
  }
}

/// Returns the time until the main loop has something to do, in milliseconds; -1 if nothing is planned.
private func nextTurn() -> Int {
  var (priority, timeout) = (gint(0), gint(0))
  var descriptors = [GPollFD](repeating: GPollFD(), count: 64)
  let context = g_main_context_default()
  _ = g_main_context_acquire(context)
  g_main_context_prepare(context, &priority)
  _ = g_main_context_query(context, priority, &timeout, &descriptors, gint(descriptors.count))
  g_main_context_release(context)
  return Int(timeout)
}

/// Runs the main loop until a condition is true; returns whether that happened in time.
private func turn(until isTrue: () -> Bool) -> Bool {
  // The end of the time wakes the loop, which would wait forever otherwise.
  var isOver = false
  let end = LoopSource.after(milliseconds: 10_000) { isOver = true }
  defer { end.cancel() }
  while !isTrue(), !isOver { g_main_context_iteration(nil, 1) }
  return !isOver
}

private func turnUntilRest() -> Bool {
  let deadline = ContinuousClock.now + .seconds(10)
  while nextTurn() != -1 {
    guard ContinuousClock.now < deadline else { return false }
    g_main_context_iteration(nil, 1)
  }
  return true
}

/// Changes the step of a page with and without animations, and prints what is wrong; returns whether nothing is.
@MainActor func checkMotions(
  of run: ActiveRunSnapshot, from former: RunView, to next: RunView, at now: Moment
) throws -> Bool {
  var problems: [String] = []
  func expect(_ isTrue: Bool, _ problem: String) { if !isTrue { problems.append(problem) } }
  guard let window = gtk_window_new().map({ Window(UnsafeMutableRawPointer($0)) }) else {
    fatalError("no memory for a window")
  }
  let page = try RunPageView()
  gtk_window_set_default_size(window.typed(), 500, 700)
  gtk_window_set_child(window.typed(), page.widget.typed())
  window.present()
  let widget: UnsafeMutablePointer<GtkWidget> = page.widget.typed()
  /// Whether the former title fades away.
  func isMoving() -> Bool { children(of: widget).contains { identifier(of: $0) == "former_title" } }
  var parts: [Double] = []
  var motion: Motion?
  motion = try Motion(of: page.widget) { parts.append(motion?.part ?? -1) }
  for isReduced in [true, false] {
    let name = isReduced ? "reduced" : "full"
    setSetting("gtk-enable-animations", GType.flag) { g_value_set_boolean(&$0, isReduced ? 0 : 1) }
    page.show(former, of: run, at: now)
    expect(turn { gtk_widget_get_mapped(widget) != 0 } && turnUntilRest(), "\(name): no rest before")
    parts = []
    page.show(next, of: run, at: now)
    motion?.start()
    if isReduced {
      expect(!isMoving(), "\(name): the title fades")
      expect(motion?.part == 1 && parts.allSatisfy { $0 == 0 || $0 == 1 }, "\(name): parts \(parts)")
    } else {
      expect(turn { motion?.part == 1 && !isMoving() }, "\(name): no end")
      // A busy machine may show no frame in the time of a motion.
      let deadline = ContinuousClock.now + .seconds(10)
      while !parts.contains(where: { $0 > 0 && $0 < 1 }), ContinuousClock.now < deadline {
        parts = []
        motion?.start()
        expect(turn { motion?.part == 1 }, "\(name): no end")
      }
      expect(parts == parts.sorted() && parts.contains { $0 > 0 && $0 < 1 }, "\(name): parts \(parts)")
    }
    expect(turnUntilRest(), "\(name): something ticks, though nothing moves")
  }
  for problem in problems { print(problem) }
  return problems.isEmpty
}
