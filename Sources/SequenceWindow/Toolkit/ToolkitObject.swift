import CSequenceAdwaita
import SequencePlatform

/// An object of GLib, kept alive by a reference.
///
/// Objects, and everything below `Toolkit`, belong to the thread that runs GLib's main loop. Each class of GTK that the
/// window uses has a class here, whose `type` is checked once, when the object is taken over.
@safe class ToolkitObject {
  private let pointer: UnsafeMutableRawPointer

  class var type: GType { .object }

  /// Takes a reference to an object; widgets that float are sunk.
  required init(_ pointer: UnsafeMutableRawPointer) {
    unsafe g_object_ref_sink(pointer)
    unsafe self.pointer = pointer
  }

  /// Takes a reference to an object whose type C doesn't show.
  convenience init(opaque pointer: OpaquePointer) {
    unsafe self.init(UnsafeMutableRawPointer(pointer))
  }

  deinit { unsafe g_object_unref(pointer) }

  /// - Throws: `Problem` if the object has another class, or C had no memory for it.
  static func checked(_ pointer: UnsafeMutableRawPointer?) throws(Problem) -> Self {
    guard let pointer = unsafe pointer else { throw Problem("no memory for a widget") }
    guard unsafe isInstance(pointer) else {
      throw Problem("an object is no \(String(describing: Self.self))")
    }
    return unsafe Self(pointer)
  }

  /// Takes over an object that a function of C has made for its caller.
  static func made<Type>(_ pointer: UnsafeMutablePointer<Type>?) throws(Problem) -> Self {
    try unsafe checked(UnsafeMutableRawPointer(pointer))
  }

  private static func isInstance(_ pointer: UnsafeMutableRawPointer) -> Bool {
    unsafe g_type_check_instance_is_a(pointer.assumingMemoryBound(to: GTypeInstance.self), type) != 0
  }

  func cast<Object: ToolkitObject>(to class: Object.Type = Object.self) -> Object? {
    unsafe Object.isInstance(pointer) ? Object(pointer) : nil
  }

  /// The object for C functions that take a type that is declared.
  func typed<Type>(_ type: Type.Type = Type.self) -> UnsafeMutablePointer<Type> {
    unsafe pointer.assumingMemoryBound(to: Type.self)
  }

  /// The object for C functions that take a type that isn't declared, such as an interface.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  func isSame(as other: ToolkitObject) -> Bool { unsafe pointer == other.pointer }
}

extension ToolkitObject: SignalValue {
  static func read(_ value: UnsafePointer<GValue>) -> Self? {
    guard unsafe g_type_fundamental(value.pointee.g_type) == .object,
      let pointer = unsafe g_value_get_object(value), unsafe isInstance(pointer)
    else { return nil }
    return unsafe Self(pointer)
  }

  func write(to value: UnsafeMutablePointer<GValue>) { unsafe g_value_set_object(value, pointer) }
}

/// Properties, by their names in GLib; the classes below `Toolkit` name them.
extension ToolkitObject {
  func set(_ property: String, to text: String?) {
    set(property, GType.text) { unsafe g_value_set_string(&$0, text) }
  }

  func set(_ property: String, to flag: Bool) {
    set(property, GType.flag) { unsafe g_value_set_boolean(&$0, flag ? 1 : 0) }
  }

  func set(_ property: String, to number: Int) {
    set(property, GType.number) { unsafe g_value_set_int(&$0, gint(clamping: number)) }
  }

  func set(_ property: String, to fraction: Double) {
    set(property, GType.fraction) { unsafe g_value_set_double(&$0, fraction) }
  }

  func set(_ property: String, to object: ToolkitObject?) {
    set(property, GType.object) { unsafe g_value_set_object(&$0, object?.pointer) }
  }

  func text(_ property: String) -> String {
    get(property, GType.text) { value in
      guard let text = unsafe g_value_get_string(&value) else { return "" }
      return unsafe String(cString: text)
    }
  }

  func flag(_ property: String) -> Bool {
    get(property, GType.flag) { unsafe g_value_get_boolean(&$0) != 0 }
  }

  func number(_ property: String) -> Int {
    get(property, GType.number) { Int(unsafe g_value_get_int(&$0)) }
  }

  func fraction(_ property: String) -> Double {
    get(property, GType.fraction) { unsafe g_value_get_double(&$0) }
  }

  private func set(_ property: String, _ type: GType, _ fill: (inout GValue) -> Void) {
    var value = GValue()
    unsafe g_value_init(&value, type)
    fill(&value)
    unsafe g_object_set_property(typed(), property, &value)
    unsafe g_value_unset(&value)
  }

  private func get<Result>(_ property: String, _ type: GType, _ read: (inout GValue) -> Result) -> Result {
    var value = GValue()
    unsafe g_value_init(&value, type)
    unsafe g_object_get_property(typed(), property, &value)
    defer { unsafe g_value_unset(&value) }
    return read(&value)
  }
}

/// The fundamental types, which are macros in C.
extension GType {
  static let flag = GType(5 << 2)
  static let number = GType(6 << 2)
  static let natural = GType(7 << 2)
  static let enumeration = GType(12 << 2)
  static let flags = GType(13 << 2)
  static let fraction = GType(15 << 2)
  static let text = GType(16 << 2)
  static let object = GType(20 << 2)
  static let variant = GType(21 << 2)
}

/// The objects of a description in GtkBuilder's XML, by their ids.
struct Interface {
  private let builder: ToolkitObject

  init(_ xml: [UInt8]) throws(Problem) {
    let pointer = unsafe gtk_builder_new()
    guard let pointer = unsafe pointer else { throw Problem("no builder") }
    builder = unsafe ToolkitObject(opaque: pointer)
    // The reference of its maker, which the object has no use for.
    unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
    var error: UnsafeMutablePointer<GError>?
    let text = String(decoding: xml, as: UTF8.self)
    unsafe gtk_builder_set_translation_domain(pointer, Language.domain)
    guard unsafe gtk_builder_add_from_string(pointer, text, -1, &error) != 0 else {
      throw unsafe problem(taking: error)
    }
  }

  func object<Object: ToolkitObject>(_ id: String) throws(Problem) -> Object {
    let found = unsafe try pointer(id)
    return unsafe try Object.checked(found)
  }

  func widget(_ id: String) -> Widget? {
    unsafe gtk_builder_get_object(builder.opaque, id).flatMap {
      unsafe ToolkitObject(UnsafeMutableRawPointer($0)).cast()
    }
  }

  private func pointer(_ id: String) throws(Problem) -> UnsafeMutableRawPointer {
    guard let object = unsafe gtk_builder_get_object(builder.opaque, id) else {
      throw Problem("the interface has no \(id)")
    }
    return UnsafeMutableRawPointer(object)
  }
}

func loadStyle(_ css: [UInt8]) {
  guard let provider = unsafe gtk_css_provider_new(), let display = unsafe gdk_display_get_default() else {
    return
  }
  unsafe gtk_css_provider_load_from_data(provider, String(decoding: css, as: UTF8.self), -1)
  unsafe gtk_style_context_add_provider_for_display(
    display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  unsafe g_object_unref(provider)
}

/// Takes the text of an error of GLib, and frees it.
func problem(taking error: UnsafeMutablePointer<GError>?) -> Problem {
  guard let error = unsafe error else { return Problem("an unknown error of the toolkit") }
  defer { unsafe g_error_free(error) }
  return Problem(LocalizedText(verbatim: unsafe String(cString: error.pointee.message)))
}
