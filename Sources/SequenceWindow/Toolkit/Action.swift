import CSequenceAdwaita

/// Actions that belong to a widget or to the application, for buttons, keys, menus and screen readers alike.
final class ActionGroup: ToolkitObject {
  override class var type: GType { g_simple_action_group_get_type() }

  static func make() throws(ToolkitError) -> ActionGroup { try unsafe made(g_simple_action_group_new()) }

  func add(_ action: Action) { unsafe g_action_map_add_action(opaque, action.opaque) }

  /// Adds an action without a parameter.
  @discardableResult
  func add(_ name: String, _ perform: @escaping () -> Void) throws(ToolkitError) -> Action {
    let action = try Action.make(name) { _ in perform() }
    add(action)
    return action
  }
}

/// An action.
final class Action: ToolkitObject {
  override class var type: GType { g_simple_action_get_type() }

  /// An action; `parameter` is the type of its parameter in GVariant's notation, `nil` for none.
  static func make(
    _ name: String, parameter: String? = nil, _ perform: @escaping (Variant?) -> Void
  ) throws(ToolkitError) -> Action {
    let type = unsafe parameter.map { unsafe g_variant_type_new($0) } ?? nil
    defer { if let type = unsafe type { unsafe g_variant_type_free(type) } }
    guard let pointer = unsafe g_simple_action_new(name, type) else {
      throw ToolkitError("no action \(name)")
    }
    let action = unsafe Action(taking: pointer)
    action.on("activate", perform)
    return action
  }

  /// An action that chooses one of several texts, for the entries of a menu.
  static func make(
    choice name: String, _ perform: @escaping (String) -> Void
  ) throws(ToolkitError) -> Action {
    let type = unsafe g_variant_type_new("s")
    defer { unsafe g_variant_type_free(type) }
    guard let pointer = unsafe g_simple_action_new_stateful(name, type, g_variant_new_string("")) else {
      throw ToolkitError("no action \(name)")
    }
    let action = unsafe Action(taking: pointer)
    action.on("activate") { (choice: Variant?) in if let text = choice?.text { perform(text) } }
    return action
  }

  private convenience init(taking pointer: OpaquePointer) {
    unsafe self.init(opaque: pointer)
    unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
  }

  /// The text that is chosen.
  func setChoice(_ text: String) { unsafe g_simple_action_set_state(opaque, g_variant_new_string(text)) }

  var isEnabled: Bool {
    get { flag("enabled") }
    set { unsafe g_simple_action_set_enabled(opaque, newValue ? 1 : 0) }
  }
}

/// Keys that call actions.
final class ShortcutController: ToolkitObject {
  override class var type: GType { gtk_shortcut_controller_get_type() }

  /// Whether the keys do something.
  var isEnabled: Bool {
    get { unsafe gtk_event_controller_get_propagation_phase(opaque) != GTK_PHASE_NONE }
    set {
      unsafe gtk_event_controller_set_propagation_phase(
        opaque, newValue ? GTK_PHASE_BUBBLE : GTK_PHASE_NONE)
    }
  }
}
