import NotifierTesting
import SequenceNotifications
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RunTests {
  private let desktop = TestDesktop()

  @Test func `a run is paused while the computer sleeps`() async throws {
    let notifier = try RunNotifier(
      in: try desktop.directory("runs"), application: Medication.application, through: .test(desktop),
      keepsAwake: true,
      onFailure: { Issue.record($0) })
    let tea = SequenceDefinition("Tea", onSuspend: .pause) {
      Card("Steep", .countdown(.seconds(180)))
      Card("Drink", .countUp())
    }
    let store = notifier.store
    try store.start(Timeline(tea))
    await desktop.advance(by: .seconds(60))
    #expect(desktop.isKeptAwake)
    await desktop.suspend(for: .seconds(3600))
    #expect(try store.status().run?.isPaused == true)
    try store.perform(.resume())
    await desktop.advance(by: .seconds(120))
    #expect(desktop.onScreen.map(\.summary) == ["Drink"])
    await notifier.shutdown()
  }
}
