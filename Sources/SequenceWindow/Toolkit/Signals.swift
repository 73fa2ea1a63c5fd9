import CSequenceAdwaita

/// Signals, by their names in GLib.
///
/// Handlers are connected swapped, so that C calls each trampoline with the handler first, and arguments that the
/// trampoline doesn't take are ignored. GLib owns the handler and releases it with the connection.
extension ToolkitObject {
  /// Calls a handler at a signal.
  func on(_ signal: String, _ handler: @escaping () -> Void) {
    let trampoline: @convention(c) (gpointer?) -> Void = { unsafe Handler<() -> Void>.of($0)?.body() }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler at a signal that asks a question; `true` ends the treatment of the signal.
  func onQuestion(_ signal: String, _ handler: @escaping () -> Bool) {
    let trampoline: @convention(c) (gpointer?) -> gboolean = {
      unsafe Handler<() -> Bool>.of($0)?.body() == true ? 1 : 0
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler with the first argument of a signal, which is an object.
  func onObject(_ signal: String, _ handler: @escaping (ToolkitObject) -> Void) {
    let trampoline: @convention(c) (gpointer?, gpointer?) -> Void = { data, object in
      guard let object = unsafe object else { return }
      unsafe Handler<(ToolkitObject) -> Void>.of(data)?.body(ToolkitObject(object))
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler with the first argument of a signal, which is a variant or none.
  func onVariant(_ signal: String, _ handler: @escaping (Variant?) -> Void) {
    let trampoline: @convention(c) (gpointer?, OpaquePointer?) -> Void = { data, variant in
      unsafe Handler<(Variant?) -> Void>.of(data)?.body(variant.map { unsafe Variant($0) })
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler with the first argument of a signal, which is a text.
  func onText(_ signal: String, _ handler: @escaping (String) -> Void) {
    let trampoline: @convention(c) (gpointer?, UnsafePointer<CChar>?) -> Void = { data, text in
      guard let text = unsafe text else { return }
      unsafe Handler<(String) -> Void>.of(data)?.body(String(cString: text))
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler with the first argument of a signal, which is a number.
  func onNumber(_ signal: String, _ handler: @escaping (Int) -> Void) {
    let trampoline: @convention(c) (gpointer?, gint) -> Void = { data, number in
      unsafe Handler<(Int) -> Void>.of(data)?.body(Int(number))
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler with the first two arguments of a signal, which are numbers.
  func onSize(_ signal: String, _ handler: @escaping (_ width: Int, _ height: Int) -> Void) {
    let trampoline: @convention(c) (gpointer?, gint, gint) -> Void = { data, width, height in
      unsafe Handler<(Int, Int) -> Void>.of(data)?.body(Int(width), Int(height))
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  /// Calls a handler with the first two arguments of a signal, which are coordinates.
  func onPoint(_ signal: String, _ handler: @escaping (_ x: Double, _ y: Double) -> Void) {
    let trampoline: @convention(c) (gpointer?, gdouble, gdouble) -> Void = { data, x, y in
      unsafe Handler<(Double, Double) -> Void>.of(data)?.body(x, y)
    }
    connect(signal, Handler(handler), unsafe unsafeBitCast(trampoline, to: GCallback.self))
  }

  private func connect<Body>(_ signal: String, _ handler: Handler<Body>, _ trampoline: GCallback) {
    unsafe g_signal_connect_data(
      typed(GObject.self), signal, trampoline, handler.retained, { data, _ in unsafe releaseHandler(data) },
      G_CONNECT_SWAPPED)
  }
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

/// Releases a handler that C owned.
func releaseHandler(_ data: gpointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// A value of GLib that goes with an action.
@safe struct Variant {
  private let pointer: OpaquePointer

  /// A variant that lives at least as long as the call that it comes with.
  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  /// The number in it; `nil` if it is something else.
  var number: Int? {
    guard unsafe g_variant_classify(pointer) == G_VARIANT_CLASS_INT32 else { return nil }
    return Int(unsafe g_variant_get_int32(pointer))
  }

  /// The text in it; `nil` if it is something else.
  var text: String? {
    guard unsafe g_variant_classify(pointer) == G_VARIANT_CLASS_STRING,
      let text = unsafe g_variant_get_string(pointer, nil)
    else { return nil }
    return unsafe String(cString: text)
  }
}
