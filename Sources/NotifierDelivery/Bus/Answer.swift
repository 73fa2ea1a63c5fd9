import CSequenceGLib

/// The result of a D-Bus method: a tuple of values.
@safe package final class Answer {
  private let tuple: OpaquePointer

  /// Takes the ownership of a variant.
  package init(_ tuple: OpaquePointer) {
    unsafe self.tuple = tuple
  }

  deinit { unsafe g_variant_unref(tuple) }

  /// The values of the tuple or of an array in it.
  package var children: [Answer] {
    guard unsafe g_variant_is_container(tuple) != 0 else { return [] }
    return (0..<(unsafe g_variant_n_children(tuple))).compactMap { index in
      unsafe g_variant_get_child_value(tuple, index).map { unsafe Answer($0) }
    }
  }

  /// The number itself, for a child that is a number with a sign.
  package var int: Int32? {
    guard unsafe String(cString: g_variant_get_type_string(tuple)) == "i" else { return nil }
    return unsafe g_variant_get_int32(tuple)
  }

  /// The number itself, for a child that is a long number without a sign.
  var long: UInt64? {
    guard unsafe String(cString: g_variant_get_type_string(tuple)) == "t" else { return nil }
    return unsafe UInt64(g_variant_get_uint64(tuple))
  }

  /// The values that are strings or paths of objects, in order.
  package var strings: [String] { children.compactMap(\.string) }

  /// The first value that is a string; empty without one.
  package var firstString: String { strings.first ?? "" }

  /// The first value, if it is a number without a sign.
  package var firstNumber: UInt32? {
    guard unsafe String(cString: g_variant_get_type_string(tuple)).hasPrefix("(u") else { return nil }
    return unsafe uint32(tuple, 0)
  }

  /// The first value, if it is a boolean or a variant with one.
  package var firstBoolean: Bool? {
    guard unsafe g_variant_n_children(tuple) > 0, var value = unsafe g_variant_get_child_value(tuple, 0)
    else {
      return nil
    }
    defer { unsafe g_variant_unref(value) }
    if unsafe String(cString: g_variant_get_type_string(value)) == "v",
      let content = unsafe g_variant_get_variant(value)
    {
      unsafe g_variant_unref(value)
      unsafe value = content
    }
    guard unsafe String(cString: g_variant_get_type_string(value)) == "b" else { return nil }
    return unsafe g_variant_get_boolean(value) != 0
  }

  /// The strings of the first value, an array.
  package var firstStrings: [String] { children.first?.strings ?? [] }

  /// The text itself, for a child that is a string or the path of an object.
  var string: String? {
    guard unsafe ["s", "o"].contains(String(cString: g_variant_get_type_string(tuple))),
      let text = unsafe g_variant_get_string(tuple, nil)
    else { return nil }
    return unsafe String(cString: text)
  }
}

/// The number at a place of a tuple.
package func uint32(_ tuple: OpaquePointer, _ index: Int) -> UInt32 {
  guard let child = unsafe g_variant_get_child_value(tuple, gsize(index)) else { return 0 }
  defer { unsafe g_variant_unref(child) }
  return unsafe g_variant_get_uint32(child)
}
