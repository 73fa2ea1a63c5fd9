import CSequenceGLib

package indirect enum BusValue: Hashable, Sendable {
  case text(String)
  case number(UInt32)
  case int(Int32)
  case long(Int64)
  case double(Double)
  case flag(Bool)
  /// The path of an object, in D-Bus's notation.
  case path(String)
  case texts([String])
  case bytes([UInt8])
  /// A value of any type (`v`).
  case variant(BusValue)
  case structure([BusValue])
  /// Values of one type, in D-Bus's notation.
  case array(of: String, [BusValue])
  /// Values of any type by their names (`a{sv}`).
  case dictionary([String: BusValue])

  /// The arguments of a call, which takes their ownership; `nil` if there are none.
  static func tuple(_ values: [BusValue]) -> OpaquePointer? {
    guard !values.isEmpty else { return nil }
    let variants = unsafe values.map { unsafe $0.variant }
    return unsafe g_variant_new_tuple(variants, gsize(variants.count))
  }

  /// The value in GLib's form, with a floating reference.
  var variant: OpaquePointer? {
    switch self {
    case .text(let text): unsafe g_variant_new_string(text)
    case .number(let number): unsafe g_variant_new_uint32(number)
    case .int(let number): unsafe g_variant_new_int32(number)
    case .long(let number): unsafe g_variant_new_int64(gint64(number))
    case .double(let number): unsafe g_variant_new_double(number)
    case .flag(let isSet): unsafe g_variant_new_boolean(isSet ? 1 : 0)
    case .path(let path): unsafe g_variant_new_object_path(path)
    case .texts(let texts): unsafe BusValue.array("s", texts.map { unsafe g_variant_new_string($0) })
    case .bytes(let bytes): unsafe BusValue.bytes(bytes)
    case .variant(let value): unsafe g_variant_new_variant(value.variant)
    case .structure(let values): unsafe BusValue.tuple(values)
    case .array(let type, let values): unsafe BusValue.array(type, values.map { unsafe $0.variant })
    case .dictionary(let entries):
      unsafe BusValue.array(
        "{sv}",
        entries.sorted { $0.key < $1.key }.map { key, value in
          unsafe g_variant_new_dict_entry(
            g_variant_new_string(key), g_variant_new_variant(value.variant))
        })
    }
  }

  private static func bytes(_ bytes: [UInt8]) -> OpaquePointer? {
    let element = unsafe g_variant_type_new("y")
    defer { unsafe g_variant_type_free(element) }
    return unsafe g_variant_new_fixed_array(element, bytes, gsize(bytes.count), 1)
  }

  /// - Parameter type: the type of its elements, in D-Bus's notation.
  private static func array(_ type: String, _ elements: [OpaquePointer?]) -> OpaquePointer? {
    let element = unsafe g_variant_type_new(type)
    defer { unsafe g_variant_type_free(element) }
    return unsafe g_variant_new_array(element, elements, gsize(elements.count))
  }
}

/// The result of a D-Bus method: a tuple of values.
@safe package final class Answer {
  private let tuple: OpaquePointer

  /// Takes the ownership of a variant.
  package init(_ tuple: OpaquePointer) {
    unsafe self.tuple = tuple
  }

  deinit { unsafe g_variant_unref(tuple) }

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

  package var firstStrings: [String] { children.first?.strings ?? [] }

  var string: String? {
    guard unsafe ["s", "o"].contains(String(cString: g_variant_get_type_string(tuple))),
      let text = unsafe g_variant_get_string(tuple, nil)
    else { return nil }
    return unsafe String(cString: text)
  }
}

package func uint32(_ tuple: OpaquePointer, _ index: Int) -> UInt32 {
  guard let child = unsafe g_variant_get_child_value(tuple, gsize(index)) else { return 0 }
  defer { unsafe g_variant_unref(child) }
  return unsafe g_variant_get_uint32(child)
}
