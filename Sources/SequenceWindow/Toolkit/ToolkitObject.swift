import CSequenceAdwaita

/// An object of GLib, kept alive by a reference.
///
/// Objects, and everything below `Toolkit`, belong to the thread that runs GLib's main loop.
@safe class ToolkitObject {
  private let pointer: UnsafeMutableRawPointer

  /// Takes a reference to an object; widgets that float are sunk.
  init(_ pointer: UnsafeMutableRawPointer) {
    unsafe g_object_ref_sink(pointer)
    unsafe self.pointer = pointer
  }

  /// Takes a reference to an object whose type C doesn't show.
  convenience init(opaque pointer: OpaquePointer) {
    unsafe self.init(UnsafeMutableRawPointer(pointer))
  }

  deinit { unsafe g_object_unref(pointer) }

  /// The object for C functions that take a type that is declared.
  func typed<Type>(_ type: Type.Type = Type.self) -> UnsafeMutablePointer<Type> {
    unsafe pointer.assumingMemoryBound(to: Type.self)
  }

  /// The object for C functions that take a type that isn't declared, such as an interface.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  /// Whether both are the same object of GLib.
  func isSame(as other: ToolkitObject) -> Bool { unsafe pointer == other.pointer }
}

/// Properties, by their names in GLib.
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

  func set(_ property: String, to object: ToolkitObject) {
    set(property, GType.object) { unsafe g_value_set_object(&$0, object.pointer) }
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
  fileprivate static let flag = GType(5 << 2)
  fileprivate static let number = GType(6 << 2)
  fileprivate static let fraction = GType(15 << 2)
  fileprivate static let text = GType(16 << 2)
  fileprivate static let object = GType(20 << 2)
}
