import NotifierTesting
import Testing

extension NotificationScheduler {
  /// Starts to deliver to a test desktop; a failure fails the test.
  convenience init(
    _ store: NotificationStore, on desktop: TestDesktop, latestDelivery: Duration? = nil
  ) throws {
    try self.init(
      store, application: .test, through: .test(desktop), latestDelivery: latestDelivery,
      onFailure: { Issue.record($0) })
  }

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
