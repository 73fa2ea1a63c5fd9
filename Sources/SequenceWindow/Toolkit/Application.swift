import CSequenceAdwaita
import Glibc
import SequencePlatform

/// The application: one instance per id on a session bus, with actions that anything can call by name.
final class Application {
  private let object: ToolkitObject

  init(id: String) throws(Problem) {
    guard unsafe g_application_id_is_valid(id) != 0,
      let application = unsafe adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS)
    else { throw Problem("\(id) is not the id of an application") }
    object = unsafe ToolkitObject(UnsafeMutableRawPointer(application))
    unsafe g_object_unref(UnsafeMutableRawPointer(application))
  }

  /// Calls a handler once in the first instance.
  func onStartup(_ handler: @escaping () -> Void) { object.on("startup", handler) }

  /// Calls a handler in the first instance whenever any instance is started.
  func onActivate(_ handler: @escaping () -> Void) { object.on("activate", handler) }

  /// Becomes the first instance, or finds it.
  func register() throws(Problem) {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_application_register(object.typed(), nil, &error) != 0 else {
      throw unsafe problem(taking: error)
    }
  }

  func run() -> Int32 { unsafe g_application_run(object.typed(), 0, nil) }

  func quit() { unsafe g_application_quit(object.typed()) }

  func add(_ action: Action) {
    unsafe g_action_map_add_action(object.opaque, action.opaque)
  }

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

  /// Returns a number for `uninhibit`; 0 if the desktop doesn't support it.
  func keepScreenOn(_ window: Window, because reason: String) -> UInt32 {
    unsafe gtk_application_inhibit(object.typed(), window.typed(), GTK_APPLICATION_INHIBIT_IDLE, reason)
  }

  /// Asks whether the screen is locked, or blanked by a screen saver; not without a screen saver that answers.
  func askWhetherLocked(then act: @escaping (Bool) -> Void) {
    guard let connection = unsafe g_application_get_dbus_connection(object.typed()) else { return act(false) }
    let name = "org.freedesktop.ScreenSaver"
    unsafe g_dbus_connection_call(
      connection, name, "/org/freedesktop/ScreenSaver", name, "GetActive", nil, nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, 1000, nil,
      { source, result, data in
        defer { unsafe releaseHandler(data) }
        // A refusal is no answer.
        let connection = unsafe source.map { OpaquePointer($0) }
        let answer = unsafe g_dbus_connection_call_finish(connection, result, nil)
        defer { if let answer = unsafe answer { unsafe g_variant_unref(answer) } }
        var isActive = gboolean(0)
        if let answer = unsafe answer, unsafe g_variant_n_children(answer) == 1,
          let child = unsafe g_variant_get_child_value(answer, 0)
        {
          if unsafe g_variant_classify(child) == G_VARIANT_CLASS_BOOLEAN {
            isActive = unsafe g_variant_get_boolean(child)
          }
          unsafe g_variant_unref(child)
        }
        unsafe Handler<(Bool) -> Void>.of(data)?.body(isActive != 0)
      }, Handler(act).retained)
  }

  func uninhibit(_ cookie: UInt32) { unsafe gtk_application_uninhibit(object.typed(), cookie) }
}

final class ActionGroup: ToolkitObject {
  override class var type: GType { g_simple_action_group_get_type() }

  static func make() throws(Problem) -> ActionGroup { try unsafe made(g_simple_action_group_new()) }

  func add(_ action: Action) { unsafe g_action_map_add_action(opaque, action.opaque) }

  @discardableResult
  func add(_ name: String, _ perform: @escaping () -> Void) throws(Problem) -> Action {
    let action = try Action.make(name) { _ in perform() }
    add(action)
    return action
  }
}

final class Action: ToolkitObject {
  override class var type: GType { g_simple_action_get_type() }

  /// - Parameter parameter: its type in GVariant's notation; `nil` for none.
  static func make(
    _ name: String, parameter: String? = nil, _ perform: @escaping (Variant?) -> Void
  ) throws(Problem) -> Action {
    let type = unsafe parameter.map { unsafe g_variant_type_new($0) } ?? nil
    defer { if let type = unsafe type { unsafe g_variant_type_free(type) } }
    guard let pointer = unsafe g_simple_action_new(name, type) else {
      throw Problem("no action \(name)")
    }
    let action = unsafe Action(taking: pointer)
    action.on("activate", perform)
    return action
  }

  /// An action that chooses one of several texts, for the entries of a menu.
  static func make(
    choice name: String, _ perform: @escaping (String) -> Void
  ) throws(Problem) -> Action {
    let type = unsafe g_variant_type_new("s")
    defer { unsafe g_variant_type_free(type) }
    guard let pointer = unsafe g_simple_action_new_stateful(name, type, g_variant_new_string("")) else {
      throw Problem("no action \(name)")
    }
    let action = unsafe Action(taking: pointer)
    action.on("activate") { (choice: Variant?) in if let text = choice?.text { perform(text) } }
    return action
  }

  private convenience init(taking pointer: OpaquePointer) {
    unsafe self.init(opaque: pointer)
    unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
  }

  func setChoice(_ text: String) { unsafe g_simple_action_set_state(opaque, g_variant_new_string(text)) }

  var isEnabled: Bool {
    get { flag("enabled") }
    set { unsafe g_simple_action_set_enabled(opaque, newValue ? 1 : 0) }
  }
}

final class ShortcutController: ToolkitObject {
  override class var type: GType { gtk_shortcut_controller_get_type() }

  var isEnabled: Bool {
    get { unsafe gtk_event_controller_get_propagation_phase(opaque) != GTK_PHASE_NONE }
    set {
      unsafe gtk_event_controller_set_propagation_phase(
        opaque, newValue ? GTK_PHASE_BUBBLE : GTK_PHASE_NONE)
    }
  }
}

enum Rendering {
  private static let renderer = "GSK_RENDERER"

  /// The environment variables that choose it, for programs that this one starts too.
  ///
  /// GTK loads OpenGL on X11 even if it doesn't draw with it.
  static let variables =
    gtk_get_minor_version() < 16
    ? [renderer: "cairo", "GDK_DEBUG": "gl-disable"] : [renderer: "cairo", "GDK_DISABLE": "gl"]

  /// Chooses software rendering, unless the user has chosen a renderer: it takes half the memory, and a page that
  /// changes once a second needs no more.
  ///
  /// - Returns: the environment before, which is that of other programs.
  static func useSoftware() -> EnvironmentVariables {
    let environment = EnvironmentVariables.process.copy
    guard environment[renderer] == nil else { return environment }
    for (name, value) in variables { _ = unsafe setenv(name, value, 0) }
    return environment
  }
}

enum Trash {
  static func move(_ path: String) throws(Message) {
    guard let file = unsafe g_file_new_for_path(path) else { throw Message(Problem("no memory for a file")) }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_file_trash(file, nil, &error) != 0 else {
      throw Message(
        translated("The File Can’t Be Moved to the Trash"),
        Message.sentences(unsafe problem(taking: error).text, "remove it yourself: \(path)"))
    }
  }
}
