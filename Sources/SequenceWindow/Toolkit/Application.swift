import CSequenceAdwaita
import SequencePlatform

/// The application: one instance per id on a session bus, with actions that anything can call by name.
final class Application {
  private let object: ToolkitObject

  init(id: String) throws(ToolkitError) {
    guard unsafe g_application_id_is_valid(id) != 0,
      let application = unsafe adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS)
    else { throw ToolkitError("\(id) is not the id of an application") }
    object = unsafe ToolkitObject(UnsafeMutableRawPointer(application))
    unsafe g_object_unref(UnsafeMutableRawPointer(application))
  }

  /// Calls a handler once in the first instance.
  func onStartup(_ handler: @escaping () -> Void) { object.on("startup", handler) }

  /// Calls a handler in the first instance whenever any instance is started.
  func onActivate(_ handler: @escaping () -> Void) { object.on("activate", handler) }

  /// Becomes the first instance, or finds it.
  func register() throws(ToolkitError) {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_application_register(object.typed(), nil, &error) != 0 else {
      throw unsafe ToolkitError(taking: error)
    }
  }

  /// Runs the main loop until the application ends; `activate` of the first instance is called before.
  func run() -> Int32 { unsafe g_application_run(object.typed(), 0, nil) }

  /// Ends the main loop.
  func quit() { unsafe g_application_quit(object.typed()) }

  /// Adds an action, which keys, buttons, menus and other programs can call.
  func add(_ action: Action) {
    unsafe g_action_map_add_action(object.opaque, action.opaque)
  }

  /// Shows the window of the first instance.
  func activate() { unsafe g_application_activate(object.typed()) }

  /// Calls an action of the first instance, with a text if it takes one.
  func activate(action name: String, _ text: String? = nil) {
    let parameter = unsafe text.map { unsafe g_variant_new_string($0) } ?? nil
    unsafe g_action_group_activate_action(object.opaque, name, parameter)
  }

  /// The keys that call an action; its name has a prefix such as `app.`.
  func setKeys(_ keys: [String], for action: String) {
    unsafe withCStrings(keys) { strings in
      unsafe strings.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: keys.count + 1) {
        unsafe gtk_application_set_accels_for_action(object.typed(), action, $0)
      }
    }
  }

  /// Makes a window one of the application, which lives as long as it has windows.
  func add(window: Window) { unsafe gtk_application_add_window(object.typed(), window.typed()) }

  /// Opens a window of the shortcuts with `win.show-help-overlay`.
  func setHelp(_ help: Widget, of window: Window) {
    unsafe gtk_application_window_set_help_overlay(window.typed(), help.opaque)
  }

  /// Keeps the screen on while a window is there.
  ///
  /// - Returns: a number for `uninhibit`; 0 if the desktop doesn't support it.
  func keepScreenOn(_ window: Window, because reason: String) -> UInt32 {
    unsafe gtk_application_inhibit(object.typed(), window.typed(), GTK_APPLICATION_INHIBIT_IDLE, reason)
  }

  func uninhibit(_ cookie: UInt32) { unsafe gtk_application_uninhibit(object.typed(), cookie) }
}
