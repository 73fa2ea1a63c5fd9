import CLibnotify

final class Variant {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = g_variant_ref_sink(pointer) }

  private init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { g_variant_unref(pointer) }

  subscript(index: Int) -> Variant { Variant(owning: g_variant_get_child_value(pointer, gsize(index))) }

  var elements: [Variant] { (0..<Int(g_variant_n_children(pointer))).map { self[$0] } }

  var content: Variant { Variant(owning: g_variant_get_variant(pointer)) }

  var uint32: UInt32 { g_variant_get_uint32(pointer) }
  var int32: Int32 { g_variant_get_int32(pointer) }
  var bool: Bool { g_variant_get_boolean(pointer) != 0 }
  var string: String { String(cString: g_variant_get_string(pointer, nil)) }

  /// The value as text, such as `uint32 1`.
  var printed: String {
    guard let text = g_variant_print(pointer, 0) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}

func tuple(_ values: [OpaquePointer?]) -> OpaquePointer? { g_variant_new_tuple(values, gsize(values.count)) }

func strings(_ texts: [String]) -> OpaquePointer? {
  let type = g_variant_type_new("s")
  defer { g_variant_type_free(type) }
  let values = texts.map { (text: String) in g_variant_new_string(text) }
  return g_variant_new_array(type, values, gsize(values.count))
}
