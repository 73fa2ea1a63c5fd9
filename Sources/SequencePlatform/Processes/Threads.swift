import Glibc

/// Starts a detached thread.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = unsafe Unmanaged.passRetained(Box(body))
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, nil,
    { argument in
      if let argument = unsafe argument {
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      }
      return nil
    }, box.toOpaque())
  guard status == 0 else {
    unsafe box.release()
    throw SystemError(call: "pthread_create", code: status)
  }
  // It fails for threads that do not exist only.
  _ = pthread_detach(thread)
}

/// Runs a function that may block in a thread of its own, and returns its result.
package func inThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    do {
      try startThread { continuation.resume(with: Result { try body() }) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
