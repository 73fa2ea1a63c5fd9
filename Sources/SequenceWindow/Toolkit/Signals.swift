import CSequenceAdwaita

/// Signals, by their names in GLib.
///
/// GLib owns the handlers and releases them with the connection. A handler whose arguments don't have the types of the
/// signal isn't called.
extension ToolkitObject {
  func on(_ signal: String, _ handler: @escaping () -> Void) {
    connect(signal) { _ in
      handler()
      return nil
    }
  }

  func on<First: SignalValue>(_ signal: String, _ handler: @escaping (First) -> Void) {
    connect(signal) { arguments in
      if let first = arguments[1, First.self] { handler(first) }
      return nil
    }
  }

  func on<First: SignalValue, Second: SignalValue>(
    _ signal: String, _ handler: @escaping (First, Second) -> Void
  ) {
    connect(signal) { arguments in
      if let first = arguments[1, First.self], let second = arguments[2, Second.self] {
        handler(first, second)
      }
      return nil
    }
  }

  /// Calls a handler with the place of a click, which follows the number of clicks in the arguments of the signal.
  func onPoint(_ signal: String, _ handler: @escaping (_ x: Double, _ y: Double) -> Void) {
    connect(signal) { arguments in
      if let x = arguments[2, Double.self], let y = arguments[3, Double.self] { handler(x, y) }
      return nil
    }
  }

  /// Calls a handler at a signal that asks a question; `true` ends the treatment of most signals.
  func answer<Answer: SignalValue>(_ signal: String, _ handler: @escaping () -> Answer?) {
    connect(signal) { _ in handler() }
  }

  func answer<First: SignalValue, Second: SignalValue, Answer: SignalValue>(
    _ signal: String, _ handler: @escaping (First, Second) -> Answer?
  ) {
    connect(signal) { arguments in
      guard let first = arguments[1, First.self], let second = arguments[2, Second.self] else { return nil }
      return handler(first, second)
    }
  }

  private func connect(_ signal: String, _ body: @escaping (SignalArguments) -> (any SignalValue)?) {
    let marshal: GClosureMarshal = { closure, result, count, values, _, _ in
      guard let data = unsafe closure?.pointee.data, let values = unsafe values else { return }
      let handler = unsafe Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
      let answer = handler.body(unsafe SignalArguments(UnsafeBufferPointer(start: values, count: Int(count))))
      if let result = unsafe result, let answer { unsafe answer.write(to: result) }
    }
    let data = unsafe Unmanaged.passRetained(SignalHandler(body)).toOpaque()
    guard let closure = unsafe g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data) else { return }
    unsafe g_closure_add_finalize_notifier(closure, data, { data, _ in unsafe releaseHandler(data) })
    unsafe g_closure_set_marshal(closure, marshal)
    unsafe g_signal_connect_closure(typed(GObject.self), signal, closure, 0)
  }
}

private final class SignalHandler {
  let body: (SignalArguments) -> (any SignalValue)?

  init(_ body: @escaping (SignalArguments) -> (any SignalValue)?) { self.body = body }
}

/// The arguments of a signal; the first is the object that emits it.
@safe struct SignalArguments {
  private let values: UnsafeBufferPointer<GValue>

  init(_ values: UnsafeBufferPointer<GValue>) { unsafe self.values = values }

  /// The argument at a place; `nil` if there is none of this type.
  subscript<Value: SignalValue>(place: Int, type: Value.Type) -> Value? {
    guard unsafe place < values.count, let start = unsafe values.baseAddress else { return nil }
    return unsafe Value.read(start + place)
  }
}

protocol SignalValue {
  static func read(_ value: UnsafePointer<GValue>) -> Self?
  func write(to value: UnsafeMutablePointer<GValue>)
}

extension SignalValue {
  fileprivate static func fundamental(_ value: UnsafePointer<GValue>) -> GType {
    unsafe g_type_fundamental(value.pointee.g_type)
  }
}

extension Bool: SignalValue {
  static func read(_ value: UnsafePointer<GValue>) -> Bool? {
    unsafe fundamental(value) == .flag ? g_value_get_boolean(value) != 0 : nil
  }

  func write(to value: UnsafeMutablePointer<GValue>) { unsafe g_value_set_boolean(value, self ? 1 : 0) }
}

extension Int: SignalValue {
  static func read(_ value: UnsafePointer<GValue>) -> Int? {
    switch unsafe fundamental(value) {
    case .number: Int(unsafe g_value_get_int(value))
    case .natural: Int(unsafe g_value_get_uint(value))
    case .enumeration: Int(unsafe g_value_get_enum(value))
    case .flags: Int(unsafe g_value_get_flags(value))
    default: nil
    }
  }

  func write(to value: UnsafeMutablePointer<GValue>) {
    switch unsafe Int.fundamental(value) {
    case .flags: unsafe g_value_set_flags(value, guint(clamping: self))
    default: unsafe g_value_set_int(value, gint(clamping: self))
    }
  }
}

extension Double: SignalValue {
  static func read(_ value: UnsafePointer<GValue>) -> Double? {
    unsafe fundamental(value) == .fraction ? g_value_get_double(value) : nil
  }

  func write(to value: UnsafeMutablePointer<GValue>) { unsafe g_value_set_double(value, self) }
}

extension String: SignalValue {
  static func read(_ value: UnsafePointer<GValue>) -> String? {
    guard unsafe fundamental(value) == .text, let text = unsafe g_value_get_string(value) else { return nil }
    return unsafe String(cString: text)
  }

  func write(to value: UnsafeMutablePointer<GValue>) { unsafe g_value_set_string(value, self) }
}

extension Optional: SignalValue where Wrapped == Variant {
  static func read(_ value: UnsafePointer<GValue>) -> Variant?? {
    guard unsafe fundamental(value) == .variant else { return nil }
    return .some(unsafe g_value_get_variant(value).map { unsafe Variant($0) })
  }

  func write(to value: UnsafeMutablePointer<GValue>) {}
}

/// The files of a drop that have a path.
struct DroppedFiles: SignalValue {
  let paths: [String]

  static func read(_ value: UnsafePointer<GValue>) -> DroppedFiles? {
    guard unsafe value.pointee.g_type == g_value_get_type(), let boxed = unsafe g_value_get_boxed(value)
    else {
      return nil
    }
    let inner = unsafe boxed.assumingMemoryBound(to: GValue.self)
    guard unsafe inner.pointee.g_type == gdk_file_list_get_type(),
      let list = unsafe g_value_get_boxed(inner)
    else { return nil }
    var paths: [String] = []
    let files = unsafe gdk_file_list_get_files(OpaquePointer(list))
    defer { unsafe g_slist_free(files) }
    var next = unsafe files
    while let file = unsafe next {
      if let path = unsafe g_file_get_path(OpaquePointer(file.pointee.data)) {
        unsafe paths.append(String(cString: path))
        unsafe g_free(path)
      }
      unsafe next = file.pointee.next
    }
    return DroppedFiles(paths: paths)
  }

  func write(to value: UnsafeMutablePointer<GValue>) {}
}

/// A closure that C owns.
final class Handler<Body> {
  let body: Body

  init(_ body: Body) { self.body = body }

  /// A reference for C, which has to be released.
  var retained: gpointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  /// The handler of such a reference.
  static func of(_ data: gpointer?) -> Handler<Body>? {
    unsafe data.map { unsafe Unmanaged<Handler<Body>>.fromOpaque($0).takeUnretainedValue() }
  }
}

func releaseHandler(_ data: gpointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// A value of GLib that goes with an action.
@safe struct Variant {
  private let pointer: OpaquePointer

  /// A variant that lives at least as long as the call that it comes with.
  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  var number: Int? {
    guard unsafe g_variant_classify(pointer) == G_VARIANT_CLASS_INT32 else { return nil }
    return Int(unsafe g_variant_get_int32(pointer))
  }

  var text: String? {
    guard unsafe g_variant_classify(pointer) == G_VARIANT_CLASS_STRING,
      let text = unsafe g_variant_get_string(pointer, nil)
    else { return nil }
    return unsafe String(cString: text)
  }
}
