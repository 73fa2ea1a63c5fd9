import CSequenceAdwaita
import Glibc

// Shows a small window that is a source of dragged files, like a file manager. It prints a line each time when the
// program below the pointer accepts them, and ends with the drag.
//
//     drag-files FILE…

guard CommandLine.arguments.count > 1, gtk_init_check() != 0,
  let window = gtk_window_new(), let source = gtk_drag_source_new()
else { fatalError("name files, and start it on a display") }

var files: [OpaquePointer?] = CommandLine.arguments.dropFirst().map { g_file_new_for_path($0) }
var value = GValue()
g_value_init(&value, gdk_file_list_get_type())
g_value_take_boxed(&value, UnsafeMutableRawPointer(gdk_file_list_new_from_array(&files, gsize(files.count))))
gtk_drag_source_set_actions(source, GDK_ACTION_COPY)
gtk_drag_source_set_content(source, gdk_content_provider_new_for_value(&value))
let onChange: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { drag, _, _ in
  guard gdk_drag_get_selected_action(drag).rawValue != 0 else { return }
  write(STDOUT_FILENO, "accepted\n", 9)
}
let onBegin: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { _, drag, _ in
  g_signal_connect_data(
    UnsafeMutableRawPointer(drag), "notify::selected-action", unsafeBitCast(onChange, to: GCallback.self),
    nil,
    nil, G_CONNECT_DEFAULT)
}
g_signal_connect_data(
  UnsafeMutableRawPointer(source), "drag-begin", unsafeBitCast(onBegin, to: GCallback.self), nil, nil,
  G_CONNECT_DEFAULT)
let onEnd: @convention(c) (OpaquePointer?, OpaquePointer?, gboolean, gpointer?) -> Void = { _, _, _, _ in
  exit(0)
}
g_signal_connect_data(
  UnsafeMutableRawPointer(source), "drag-end", unsafeBitCast(onEnd, to: GCallback.self), nil, nil,
  G_CONNECT_DEFAULT)
gtk_widget_add_controller(window, source)
window.withMemoryRebound(to: GtkWindow.self, capacity: 1) {
  gtk_window_set_title($0, "Files")
  gtk_window_set_decorated($0, 0)
  gtk_window_set_default_size($0, 60, 60)
  gtk_window_present($0)
}
g_main_loop_run(g_main_loop_new(nil, 0))
