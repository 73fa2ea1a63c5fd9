import Notifier

extension NotificationScheduler {
  /// Delivers until the end of a block, and waits for the end of the scheduler's threads.
  func deliver(_ body: (NotificationScheduler) async throws -> Void) async throws {
    do {
      try await body(self)
      await shutdown()
    } catch {
      await shutdown()
      throw error
    }
  }
}

extension NotifyingApplication {
  static let test = NotifyingApplication(name: "Test", desktopEntry: "test", icon: "face-smile")
}
